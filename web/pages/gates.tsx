// stub
import type { PageProps } from "../pages.js";
export const GatesPage = (_: PageProps) => <p>gates</p>;
