// Tasks of mise.toml and Taskfile.yml: the shell text each one runs, and the tasks it needs.
// Invariant: only what is written as plain text is found; a task in another notation is not, and stays unknown.

export interface Task {
  needs: string[];
  /** Shell text, line by line. */
  lines: string[];
  folder?: string;
}

/** `[tasks.NAME] run = ...` and `[tasks] NAME = ...`. */
export function miseTasks(text: string): Map<string, Task> {
  const tasks = new Map<string, Task>();
  let name: string | undefined;
  let table = "";
  for (const line of logicalLines(text)) {
    const head = /^\s*\[\s*([^\]]+?)\s*\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (head !== undefined) {
      table = head;
      const found = /^tasks\.(?:"([^"]+)"|'([^']+)'|([\w:.-]+))$/.exec(head);
      name = found?.slice(1).find((part) => part !== undefined);
      if (name !== undefined && !tasks.has(name)) tasks.set(name, { needs: [], lines: [] });
      continue;
    }
    const entry = /^\s*(?:"([^"]+)"|'([^']+)'|([\w:.-]+))\s*=\s*([\s\S]*)$/.exec(line);
    if (!entry) continue;
    const key = (entry[1] ?? entry[2] ?? entry[3])!;
    const value = entry[4]!.trim();
    if (table === "tasks") {
      const run = value.startsWith("{") ? /\brun\s*=\s*([\s\S]*)\}$/.exec(value)?.[1] : value;
      if (run !== undefined) tasks.set(key, { needs: [], lines: stringsIn(run) });
    } else if (name !== undefined) {
      const task = tasks.get(name)!;
      if (key === "run") task.lines.push(...stringsIn(value));
      else if (key === "depends") task.needs.push(...stringsIn(value));
      else if (key === "dir") task.folder = stringsIn(value)[0];
      else if (key === "file") task.lines.push(...stringsIn(value));
    }
  }
  return tasks;
}

/** A value over several lines (a list, a text in three quotes) is one line. */
function logicalLines(text: string): string[] {
  const out: string[] = [];
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (open !== undefined) {
      out.push(`${out.pop()}\n${line}`);
      if (open === "]" ? /\]\s*(?:#.*)?$/.test(line) : line.includes(open)) open = undefined;
      continue;
    }
    out.push(line);
    const quotes = /=\s*("""|''')/.exec(line)?.[1];
    if (quotes && line.split(quotes).length === 2) open = quotes;
    else if (/=\s*\[[^\]]*$/.test(line)) open = "]";
  }
  return out;
}

function stringsIn(value: string): string[] {
  const long = /^("""|''')\n?([\s\S]*?)\1/.exec(value);
  if (long) return [long[2]!];
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
    ([, double, single]) => single ?? double!.replace(/\\(["\\])/g, "$1").replace(/\\n/g, "\n"),
  );
}

/** `tasks: NAME: cmds: [...]`, `NAME: command` and `NAME: [commands]` of a Taskfile. */
export function taskfileTasks(text: string): Map<string, Task> {
  const tasks = new Map<string, Task>();
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^tasks:\s*(?:#.*)?$/.test(line));
  if (start < 0) return tasks;
  let indent = 0;
  let task: Task | undefined;
  let section = "";
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const depth = line.length - line.trimStart().length;
    if (depth === 0) break;
    indent ||= depth;
    if (depth === indent) {
      const [, quoted, plain, rest = ""] = /^\s*(?:["']([^"']+)["']|([^\s:][^\s]*?)):(?:\s+(.*))?$/.exec(line) ?? [];
      const name = quoted ?? plain;
      task = name === undefined ? undefined : { needs: [], lines: [] };
      if (task) tasks.set(name!, task);
      section = "cmds";
      if (task && rest) task.lines.push(...scalars(rest));
      continue;
    }
    if (!task) continue;
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const [, key, value = ""] = (item === undefined ? /^\s*([\w-]+):(?:\s+(.*))?$/.exec(line) : null) ?? [];
    if (key && depth <= indent * 2 + 2 && !/^(cmd|task|silent|ignore_error|platforms|for|vars|defer)$/.test(key)) {
      section = key;
      if (key === "dir") task.folder = scalars(value)[0];
      if (key === "cmds" || key === "deps") (key === "cmds" ? task.lines : task.needs).push(...scalars(value));
      continue;
    }
    const called = /^(?:task|defer):\s*(.+)$/.exec(item ?? line.trim());
    const command = /^(?:cmd):\s*(.*)$/.exec(item ?? line.trim())?.[1] ?? (called ? undefined : item);
    if (section !== "cmds" && section !== "deps") continue;
    if (called) task.needs.push(...scalars(called[1]!));
    else if (command !== undefined && /^[|>]-?$/.test(command.trim())) {
      const block: string[] = [];
      while (at + 1 < lines.length && (/^\s*$/.test(lines[at + 1]!) || lines[at + 1]!.search(/\S/) > depth))
        block.push(lines[++at]!.trim());
      task.lines.push(block.join("\n"));
    } else if (command !== undefined) (section === "deps" ? task.needs : task.lines).push(...scalars(command));
  }
  return tasks;
}

/** A scalar or a list in brackets. */
function scalars(value: string): string[] {
  const text = value.trim();
  if (text === "") return [];
  const list = /^\[(.*)\]$/s.exec(text)?.[1];
  if (list !== undefined) return list.split(",").flatMap((part) => scalars(part));
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(text);
  if (quoted) return [quoted[2]?.replaceAll("''", "'") ?? quoted[1]!.replace(/\\(["\\])/g, "$1")];
  return [text.replace(/\s+#.*$/, "")];
}
