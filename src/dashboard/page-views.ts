// The table of what pages can ask for: a name, and the function that reads it from a source.
// Invariant: a view changes nothing; what a person can do from a page is in the table of actions, and only asks.
import type { Json, JsonObject } from "../model/json.js";
import { callView } from "./call-view.js";
import type { DashboardSource } from "./dashboard-source.js";
import { evidenceView } from "./evidence-view.js";
import { frameView } from "./frame-view.js";
import { gatesView } from "./gates-view.js";
import { intentFileView, intentsView } from "./intents-view.js";
import type { OverrideWishes } from "./override-wishes.js";
import { askForOverride, overridesView } from "./overrides-view.js";
import { recordExport, recordSearch, recordView, verifyNow } from "./record-view.js";
import { runLogView, runsView, runView } from "./runs-view.js";
import { callsView, sessionsView } from "./sessions-view.js";
import { timelineView } from "./timeline-view.js";

/** What views and actions share besides the source. */
export interface PageWorld {
  wishes: OverrideWishes;
}
export type PageView = (source: DashboardSource, query: URLSearchParams, world: PageWorld) => unknown;
export type PageAction = (source: DashboardSource, body: JsonObject, world: PageWorld) => Json | Promise<Json>;

/** By path below `/api/`. A page of its own adds its views here. */
export const pageViews: Readonly<Record<string, PageView>> = {
  frame: frameView,
  sessions: sessionsView,
  "sessions/timeline": timelineView,
  "sessions/calls": callsView,
  "sessions/call": callView,
  overrides: overridesView,
  gates: gatesView,
  record: recordView,
  "record/search": recordSearch,
  "record/export": recordExport,
  runs: runsView,
  "runs/run": runView,
  "runs/log": runLogView,
  intents: intentsView,
  "intents/file": intentFileView,
  evidence: evidenceView,
};

/** By path below `/api/do/`. */
export const pageActions: Readonly<Record<string, PageAction>> = {
  wish: askForOverride,
  verify: verifyNow,
};
