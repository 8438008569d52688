// stub
import type { PageProps } from "../pages.js";
export const SessionsPage = (_: PageProps) => <p>sessions</p>;
