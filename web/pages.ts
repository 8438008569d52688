// The pages, in the order of the navigation. A further page is one entry here and one file in pages/.
import type { ComponentType } from "preact";
import { GatesPage } from "./pages/gates.js";
import { RecordPage } from "./pages/record.js";
import { SessionsPage } from "./pages/sessions.js";

export interface PageProps {
  /** What follows the page's name in the address: `#/sessions/<id>/<seq>` gives [id, seq]. */
  parts: string[];
}

export interface Page {
  id: string;
  title: string;
  component: ComponentType<PageProps>;
}

export const pages: readonly Page[] = [
  { id: "sessions", title: "Sessions", component: SessionsPage },
  { id: "gates", title: "Gates", component: GatesPage },
  { id: "record", title: "Record", component: RecordPage },
];
