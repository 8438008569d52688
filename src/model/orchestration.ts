// The folder in which a project keeps its intents and the trace of what was written under them.
import { join } from "node:path";

export const orchestrationFolder = ".orchestration";
export const traceFileName = `${orchestrationFolder}/agent_trace.jsonl`;
export const traceFileOf = (root: string): string => join(root, traceFileName);
