// Interlock's MCP server in a project's .mcp.json, which is committed and shared.
// Invariant: no path of this machine is written; foreign entries and formatting stay, and uninstalling restores a file
// nobody else changed byte for byte.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { ownMcpServer } from "../../../model/own-mcp.js";
import { sha256 } from "../../../model/sha256.js";
import { unifiedDiff } from "../settings/diff.js";
import { appendItem, removeItem, replaceValue } from "../settings/edit-jsonc.js";
import { type Container, type Document, type Item, JsoncError, parseJsonc } from "../settings/jsonc.js";
import { readTextFile, replaceText } from "../settings/settings-files.js";
import { keepCopy } from "./install-manifest.js";

/** What a teammate's client starts too. */
export const mcpEntry = { command: "npx", args: ["-y", "agent-interlock", "mcp"] } as const;

export const mcpFile = (projectRoot: string): string => join(projectRoot, ".mcp.json");

export interface McpPlan {
  file: string;
  before: string | undefined;
  /** Undefined: the file goes. */
  after: string | undefined;
  diff: string;
  nothingToDo: boolean;
  /** Why it can't be done. */
  blocked?: string;
}

interface McpInstall {
  /** Hash of the file before; null if there was none. */
  before: string | null;
  after: string;
  backup?: string;
  /** The list of servers was not there before. */
  madeList?: true;
}

const plan = (file: string, before: string | undefined, after: string | undefined): McpPlan => ({
  file,
  before,
  after,
  diff: unifiedDiff(before ?? "", after ?? "", file),
  nothingToDo: before === after,
});

export function planMcp(projectRoot: string): McpPlan {
  const file = mcpFile(projectRoot);
  const before = readTextFile(file);
  const entry = { ...mcpEntry, args: [...mcpEntry.args] };
  if (!before?.trim())
    return plan(file, before, `${JSON.stringify({ mcpServers: { [ownMcpServer]: entry } }, null, 2)}\n`);
  const read = serversIn(before, file);
  if ("blocked" in read) return { ...plan(file, before, before), blocked: read.blocked };
  const { document, root, servers } = read;
  if (!servers) return plan(file, before, appendItem(document, root, { [ownMcpServer]: entry }, "mcpServers"));
  const mine = itemOf(servers, ownMcpServer);
  if (!mine) return plan(file, before, appendItem(document, servers, entry, ownMcpServer));
  return plan(file, before, runsInterlock(before, mine) ? before : replaceValue(document, mine.value, entry));
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
  let document: Document;
  try {
    document = parseJsonc(text);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    return { blocked: `${file}: ${error.message}; repair it and run this again` };
  }
  const { root } = document;
  if (root.kind !== "object") return { blocked: `${file}: the top level must be an object` };
  const list = itemOf(root, "mcpServers")?.value;
  if (list && list.kind !== "object") return { blocked: `${file}: mcpServers must be an object` };
  return { document, root, ...(list && { servers: list as Container }) };
}

const itemOf = (node: Container, key: string): Item | undefined => node.items.find((item) => item.key === key);

export function applyMcp({ file, before, after, nothingToDo }: McpPlan, home: string, now = new Date()): void {
  if (nothingToDo || after === undefined) return;
  const known = readInstalls(home)[file];
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
  writeInstalls(home, { ...readInstalls(home), [file]: fresh });
  replaceText(file, after);
}

/** Undefined where nothing of ours is there. */
export function planMcpRemoval(projectRoot: string, home: string): McpPlan | undefined {
  const file = mcpFile(projectRoot);
  const before = readTextFile(file);
  if (before === undefined) return undefined;
  const install = readInstalls(home)[file];
  if (install?.after === sha256(before)) {
    if (install.before === null) return plan(file, before, undefined);
    const copy = install.backup === undefined ? undefined : readTextFile(install.backup);
    if (copy !== undefined && sha256(copy) === install.before) return plan(file, before, copy);
  }
  const read = serversIn(before, file);
  if ("blocked" in read) return undefined;
  const { document, root, servers } = read;
  const mine = servers && itemOf(servers, ownMcpServer);
  if (!servers || !mine || !runsInterlock(before, mine)) return undefined;
  if (servers.items.length > 1 || !install?.madeList)
    return plan(file, before, removeItem(document, servers, servers.items.indexOf(mine)));
  if (root.items.length === 1 && install.before === null) return plan(file, before, undefined);
  return plan(file, before, removeItem(document, root, root.items.indexOf(itemOf(root, "mcpServers")!)));
}

export function applyMcpRemoval({ file, after }: McpPlan, home: string): void {
  if (after === undefined) rmSync(file, { force: true });
  else replaceText(file, after);
  const { [file]: _, ...rest } = readInstalls(home);
  writeInstalls(home, rest);
}

const installsFile = (home: string): string => join(home, "installs", "mcp.json");

function readInstalls(home: string): Record<string, McpInstall> {
  try {
    const value: unknown = JSON.parse(readTextFile(installsFile(home)) ?? "{}");
    return isObject(value as Json) ? (value as unknown as Record<string, McpInstall>) : {};
  } catch {
    return {}; // torn or edited by hand: nothing in it can be relied on
  }
}

function writeInstalls(home: string, installs: Record<string, McpInstall>): void {
  mkdirSync(join(home, "installs"), { recursive: true, mode: 0o700 });
  replaceText(installsFile(home), `${JSON.stringify(installs as unknown as JsonObject, null, 2)}\n`, 0o600);
}
