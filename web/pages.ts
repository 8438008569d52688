// The pages, in the order of the navigation. A further page is one entry here and one file in pages/.
import type { ComponentType } from "preact";
import { EvidencePage } from "./pages/evidence.js";
import { GatesPage } from "./pages/gates.js";
import { IntentsPage } from "./pages/intents.js";
import { RecordPage } from "./pages/record.js";
import { RunsPage } from "./pages/runs.js";
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
  { id: "runs", title: "Runs", component: RunsPage },
  { id: "intents", title: "Intents", component: IntentsPage },
  { id: "evidence", title: "Evidence", component: EvidencePage },
  { id: "record", title: "Record", component: RecordPage },
];
