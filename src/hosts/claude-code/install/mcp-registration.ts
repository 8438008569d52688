// Interlock's MCP server in a project's .mcp.json, which is committed and shared.
// Invariant: no path of this machine is written; foreign entries and formatting stay, and uninstalling restores a file
// nobody else changed byte for byte.
import { join } from "node:path";
import { ownMcpServer } from "../../../model/own-mcp.js";
import { sha256 } from "../../../model/sha256.js";
import { appendItem, removeItem, replaceValue } from "../settings/edit-jsonc.js";
import type { Container, Document, Item } from "../settings/jsonc.js";
import {
  type ChangedFile,
  itemOf,
  objectIn,
  type PlannedChange,
  plannedChange,
  textBefore,
  writeChange,
} from "../settings/planned-change.js";
import { readTextFile, replaceText } from "../settings/settings-files.js";
import { keepCopy, readInstalls, writeInstalls } from "./install-manifest.js";

/** What a teammate's client starts too. */
export const mcpEntry = { command: "npx", args: ["-y", "agent-interlock", "mcp"] } as const;

export const mcpFile = (projectRoot: string): string => join(projectRoot, ".mcp.json");

interface McpInstall extends ChangedFile {
  /** The list of servers was not there before. */
  madeList?: true;
}

export function planMcp(projectRoot: string): PlannedChange {
  const file = mcpFile(projectRoot);
  const before = readTextFile(file);
  const entry = { ...mcpEntry, args: [...mcpEntry.args] };
  if (!before?.trim())
    return plannedChange(file, before, `${JSON.stringify({ mcpServers: { [ownMcpServer]: entry } }, null, 2)}\n`);
  const read = serversIn(before, file);
  if ("blocked" in read) return { ...plannedChange(file, before, before), blocked: read.blocked };
  const { document, root, servers } = read;
  if (!servers) return plannedChange(file, before, appendItem(document, root, { [ownMcpServer]: entry }, "mcpServers"));
  const mine = itemOf(servers, ownMcpServer);
  if (!mine) return plannedChange(file, before, appendItem(document, servers, entry, ownMcpServer));
  return plannedChange(file, before, runsInterlock(before, mine) ? before : replaceValue(document, mine.value, entry));
}

/** An entry that starts Interlock in another way was chosen by the user. */
const runsInterlock = (text: string, { value }: Item): boolean =>
  /interlock[^]*"mcp"/.test(text.slice(value.start, value.end));

interface Servers {
  document: Document;
  root: Container;
  servers?: Container;
}

function serversIn(text: string, file: string): Servers | { blocked: string } {
  const found = objectIn(text, file);
  if ("blocked" in found) return found;
  const { document, root } = found;
  const list = itemOf(root, "mcpServers")?.value;
  if (list && list.kind !== "object") return { blocked: `${file}: mcpServers must be an object` };
  return { document, root, ...(list && { servers: list as Container }) };
}

export function applyMcp({ file, before, after, nothingToDo }: PlannedChange, home: string, now = new Date()): void {
  if (nothingToDo || after === undefined) return;
  const known = installed(home)[file];
  const chained = known && known.after === sha256(before ?? "");
  const backup = chained || before === undefined ? undefined : keepCopy(home, file, before, now);
  const madeList = before === undefined || !/"mcpServers"/.test(before);
  const fresh: McpInstall = {
    before: before === undefined ? null : sha256(before),
    ...(backup && { backup }),
    ...(madeList && { madeList: true as const }),
    ...(chained && known),
    after: sha256(after),
  };
  writeInstalls(home, "mcp", { ...installed(home), [file]: fresh });
  replaceText(file, after);
}

/** Undefined where nothing of ours is there. */
export function planMcpRemoval(projectRoot: string, home: string): PlannedChange | undefined {
  const file = mcpFile(projectRoot);
  const before = readTextFile(file);
  if (before === undefined) return undefined;
  const install = installed(home)[file];
  const restored = textBefore(before, install);
  if (restored) return plannedChange(file, before, restored.text);
  const read = serversIn(before, file);
  if ("blocked" in read) return undefined;
  const { document, root, servers } = read;
  const mine = servers && itemOf(servers, ownMcpServer);
  if (!servers || !mine || !runsInterlock(before, mine)) return undefined;
  if (servers.items.length > 1 || !install?.madeList)
    return plannedChange(file, before, removeItem(document, servers, servers.items.indexOf(mine)));
  if (root.items.length === 1 && install.before === null) return plannedChange(file, before, undefined);
  return plannedChange(file, before, removeItem(document, root, root.items.indexOf(itemOf(root, "mcpServers")!)));
}

export function applyMcpRemoval(removal: PlannedChange, home: string): void {
  writeChange(removal);
  const { [removal.file]: _, ...rest } = installed(home);
  writeInstalls(home, "mcp", rest);
}

/** By the path of the file. */
const installed = (home: string): Record<string, McpInstall> => readInstalls<McpInstall>(home, "mcp");
