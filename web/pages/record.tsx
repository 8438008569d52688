// stub
import type { PageProps } from "../pages.js";
export const RecordPage = (_: PageProps) => <p>record</p>;
