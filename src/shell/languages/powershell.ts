// PowerShell (pwsh -c, .ps1 files): what its commands read, write, delete and run.
// Invariant: a command no row knows and every computed word make the text unknown; programs it starts are followed.

import { type Hazard, hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { isSecretName } from "../hazards/credentials.js";
import { literal } from "../spec/options.js";
import {
  aliases,
  type CmdletArguments,
  type CmdletCall,
  isQuiet,
  keywords,
  parameter,
  parametersOf,
} from "./powershell-cmdlets.js";
import { downloadWords, grave, throughObjects } from "./powershell-objects.js";
import { type Command, type Statement, statementsOf, type Word } from "./powershell-text.js";

export function powershell(text: string, emit: Emit, depth = 0): void {
  if (depth > 4) return emit.unknown("PowerShell text nested beyond reading");
  const known = new Map<string, Arg>();
  const { home } = emit;
  const statements = statementsOf(text, (name) => {
    if (/^(home|env:home|env:userprofile)$/.test(name)) return home;
    if (/^(pwd|psscriptroot)$/.test(name)) return ".";
    if (/^(null|true|false)$/.test(name)) return "";
    if (/^env:(temp|tmp|tmpdir)$/.test(name)) return "/tmp";
    return undefined;
  });
  new Walk(emit, known, depth).all(statements, undefined);
  throughObjects(text, emit);
}

class Walk {
  /** Where `cd` went. */
  #cwd = "";

  constructor(
    readonly emit: Emit,
    readonly known: Map<string, Arg>,
    readonly depth: number,
  ) {}

  /** `item`: what `$_` stands for. */
  all(statements: readonly Statement[], item: Arg | undefined): void {
    for (const statement of statements) this.#pipeline(statement, item);
  }

  #pipeline(stages: Statement, item: Arg | undefined): Arg | undefined {
    let upstream = item;
    let fetched = false;
    for (const stage of stages) {
      for (const file of stage.writes)
        if (!/^\$null$/i.test(file.source)) this.emit.write(this.#path(file), "redirection >");
      const result = this.#command(stage, upstream, fetched);
      fetched ||= downloadWords.test(stage.words.map((word) => word.source).join(" "));
      upstream = result ?? (stage === stages[0] ? undefined : upstream);
    }
    return upstream;
  }

  /** Returns the paths the command hands on, where it lists any. */
  #command(command: Command, item: Arg | undefined, fetched: boolean): Arg | undefined {
    let words = command.words;
    const [first] = words;
    if (!first) return undefined;
    if (first.variable && words[1]?.source === "=") return this.#assign(first.variable, words.slice(2), item);
    if (first.variable && words[1]?.source.toLowerCase() === "in")
      return this.#assign(first.variable, words.slice(2), item);
    while (words[0] && keywords.has(words[0].source.toLowerCase())) {
      const [keyword, ...rest] = words;
      words = rest;
      if (/^(function|filter|class)$/i.test(keyword!.source)) words = rest.slice(1);
    }
    const dotted = words[0]?.source === "." && words.length > 1;
    if (dotted) words = words.slice(1);
    const [given, ...args] = words;
    if (!given) return undefined;
    const called = command.called || dotted;
    const stored = called ? (given.variable ? this.known.get(given.variable)?.value : given.value) : undefined;
    const head: Word = stored === undefined ? given : { source: stored, value: stored, prefix: stored };
    if (head.value === undefined && !head.inner && called)
      this.emit.unknown(`PowerShell runs ${head.source.slice(0, 60)}`);
    const name = head.value?.toLowerCase().replace(/\.exe$/, "");
    const cmdlet = name === undefined ? undefined : (aliases[name] ?? name);
    const parameters = parametersOf(args);
    // A text that stands alone is a value.
    const literally = head.quoted && words.length === 1;
    const listed =
      cmdlet === undefined || literally
        ? this.#expression(head)
        : this.#meaning({ cmdlet, head, args, given: parameters, item, fetched });
    const inside = /^(foreach-object|where-object|invoke-command)$/.test(cmdlet ?? "") ? item : undefined;
    for (const word of words) if (word.inner) this.all(word.inner, inside ?? item);
    return listed;
  }

  #assign(name: string, words: readonly Word[], item: Arg | undefined): undefined {
    const [only] = words;
    const value =
      words.length === 1 && only!.value !== undefined && (only!.quoted || /^[~./\\]|^[a-z]:/i.test(only!.value))
        ? this.#path(only!)
        : this.#pipeline([{ words: [...words], writes: [] }], item);
    if (value) this.known.set(name, value);
    return undefined;
  }

  /** A value that stands alone is printed. */
  #expression(word: Word): Arg | undefined {
    const { variable, inner, source, quoted, value } = word;
    if (quoted && value !== undefined) return this.#path(word);
    if (variable && this.known.has(variable)) return this.known.get(variable);
    const secret = /^env:(.*)$/.exec(variable ?? "")?.[1];
    if (secret && isSecretName(secret.toUpperCase())) this.#reveals(secret);
    else if (!inner && !variable && !/^['"[$@(\d-]/.test(source))
      this.emit.unknown(`PowerShell: ${source.slice(0, 60)}`);
    return undefined;
  }

  #reveals(name: string): void {
    this.emit.hazard(hazard("secret-variable"), `prints the variable ${name}`);
  }

  #path(word: Word, item?: Arg): Arg {
    const stored = word.variable === "_" ? item : word.variable && this.known.get(word.variable);
    if (stored) return stored;
    const text = (word.value ?? word.prefix).replaceAll("\\", "/");
    const at = text.replace(/^~(?=\/|$)/, this.emit.home ?? "~");
    const placed = this.#cwd && !/^([a-z]:|\/)/i.test(at) ? `${this.#cwd}/${at}` : at;
    if (word.value === undefined) return { source: word.source, prefix: placed };
    return { source: word.source, value: placed, prefix: placed, ...(/[*?[]/.test(placed) && { glob: true }) };
  }

  /** The paths a command is given: by name, by position, or by the pipeline. */
  #targets({ operands, values }: CmdletArguments, item: Arg | undefined, positions = 1): Arg[] {
    const named = ["path", "literalpath", "lp", "pspath", "filepath", "p"].flatMap((name) => values.get(name) ?? []);
    const words = named.length ? named : operands.slice(0, positions);
    const paths = words.filter((word) => !word.inner || word.variable).map((word) => this.#path(word, item));
    const computed = words
      .filter((word) => word.inner && !word.variable)
      .map((word) => {
        const found = word
          .inner!.map((statement) => this.#pipeline(statement, item))
          .find((path) => path !== undefined);
        return found ?? { source: word.source, prefix: "" };
      });
    if (words.length) return [...paths, ...computed];
    return item ? [item] : [];
  }

  /** What a cmdlet does; the result is what it hands on in the pipeline. */
  #meaning(call: CmdletCall): Arg | undefined {
    const { emit } = this;
    const { cmdlet, given, item } = call;
    switch (cmdlet) {
      case "get-childitem":
      case "get-item":
        return this.#lists(call);
      case "join-path":
        return this.#joins(call);
      case "resolve-path":
      case "convert-path":
        return this.#targets(given, item)[0];
      case "import-module": {
        const [file] = given.operands;
        if (/[./\\]/.test(file?.value ?? "")) emit.script(this.#path(file!), "Import-Module runs it", "powershell");
        return undefined;
      }
      case "where-object":
        return item?.value === undefined || !item.glob
          ? item
          : { source: item.source, prefix: item.value.slice(0, item.value.search(/[*?[]/)), glob: true };
      case "remove-item":
        return this.#removes(call);
      case "get-content":
      case "select-string":
      case "get-filehash":
      case "import-csv":
        for (const path of this.#targets(given, item, 8))
          if (cmdlet !== "select-string" || parameter(given, "path", "literalpath")) emit.read(path, cmdlet);
        return undefined;
      case "set-content":
      case "add-content":
      case "clear-content":
      case "out-file":
      case "new-item":
      case "export-csv":
        if (given.has("whatif")) return undefined;
        for (const path of this.#targets(given, undefined))
          emit.write(path, cmdlet, cmdlet === "clear-content" ? { how: "truncate" } : {});
        return undefined;
      case "tee-object":
        for (const path of this.#targets(given, undefined)) emit.write(path, cmdlet);
        return undefined;
      case "copy-item":
      case "move-item":
      case "rename-item":
        return this.#transfers(call);
      case "set-location": {
        const [to] = this.#targets(given, undefined);
        if (to?.value !== undefined) this.#cwd = to.value;
        else if (to) emit.unknown("PowerShell: the directory is not static");
        return undefined;
      }
      case "invoke-expression":
        return this.#evaluates(call);
      case "invoke-webrequest":
      case "invoke-restmethod":
        return this.#requests(call);
      case "start-process":
      case "stop-process":
      case "stop-computer":
      case "restart-computer":
      case "invoke-sqlcmd":
        return this.#controls(call);
      case "write-output":
      case "write-host":
        for (const word of given.operands) if (word.variable?.startsWith("env:")) this.#expression(word);
        return undefined;
    }
    return this.#otherCommand(call);
  }

  #say(found: Hazard, { cmdlet }: CmdletCall): void {
    this.emit.hazard(found, `PowerShell ${cmdlet}`);
  }

  #lists(call: CmdletCall): Arg | undefined {
    const { cmdlet, given, item } = call;
    const targets = this.#targets(given, item);
    if (targets.some((path) => /^env:/i.test(path.value ?? ""))) this.#say(hazard("environment-dump"), call);
    const [start] = targets.length ? targets : [literal(this.#cwd || ".")];
    if (cmdlet === "get-item" || !start || start.glob || start.value === undefined) return start;
    const narrowed = parameter(given, "filter", "include", "exclude");
    const name = parameter(given, "filter", "include")?.value;
    const folder = start.value.replace(/\/+$/, "");
    if (narrowed && name === undefined) return { source: start.source, prefix: `${folder}/`, glob: true };
    return { ...literal(`${folder}/${name ? `**/${name}` : "*"}`), glob: true };
  }

  #joins({ given, item }: CmdletCall): Arg | undefined {
    const { operands, values } = given;
    const [parent, ...rest] = [...(values.get("path") ?? []), ...operands, ...(values.get("childpath") ?? [])];
    const base = parent && this.#path(parent, item);
    if (base?.value === undefined || rest.some((word) => word.value === undefined))
      return base && { ...base, value: undefined };
    return literal([base.value, ...rest.map((word) => word.value)].join("/"));
  }

  #removes(call: CmdletCall): undefined {
    const { given, item } = call;
    if (given.has("whatif")) return undefined;
    const recursive = given.has("recurse");
    const targets = this.#targets(given, item, 64);
    for (const path of targets.length ? targets : [{ source: "$_", prefix: "" }])
      if (/^hk\w+:/i.test(path.value ?? path.prefix)) this.#say(hazard(recursive ? "registry-tree" : "registry"), call);
      else this.emit.delete(path, "Remove-Item", recursive || path === item ? { recursive: true } : {});
    return undefined;
  }

  #transfers({ cmdlet, given, item }: CmdletCall): undefined {
    if (given.has("whatif")) return undefined;
    const { emit } = this;
    const [from] = this.#targets(given, item);
    const to = parameter(given, "destination", "newname") ?? given.operands[given.values.has("path") || item ? 0 : 1];
    if (from && cmdlet === "copy-item") emit.read(from, cmdlet, given.has("recurse") ? { recursive: true } : {});
    else if (from) emit.delete(from, cmdlet, { how: "move" });
    if (to) emit.write(this.#path(to), cmdlet);
    return undefined;
  }

  #evaluates(call: CmdletCall): undefined {
    const { given, fetched } = call;
    const text = given.operands[0] ?? parameter(given, "command");
    if (text?.value !== undefined) powershell(text.value, this.emit, this.depth + 1);
    else {
      const downloaded = fetched || downloadWords.test(text?.source ?? "");
      this.#say(hazard(downloaded ? "download-and-run" : "invoke-expression"), call);
    }
    return undefined;
  }

  #requests({ cmdlet, head, args, given }: CmdletCall): undefined {
    const { emit } = this;
    // Called by the name of another program and with its options: that program is meant.
    const foreign = args.some((word) => /^(-[a-zA-Z]{1,3}|--\w.*)$/.test(word.value ?? "") && word.value !== "-m");
    if (foreign && /^(curl|wget)$/i.test(head.value ?? "")) return this.#native(head, args);
    const method = parameter(given, "method")?.value ?? "get";
    const sent = parameter(given, "infile");
    if (sent) emit.read(this.#path(sent), `${cmdlet} sends it`);
    const kept = parameter(given, "outfile");
    if (kept) emit.write(this.#path(kept), `${cmdlet} saves into it`);
    const host = (parameter(given, "uri") ?? given.operands[0])?.value;
    const upload = sent !== undefined || given.values.has("body") || /^(post|put|patch)$/i.test(method);
    emit.effect({ kind: "network", program: cmdlet, host, reason: cmdlet, ...(upload && { upload: true }) });
    return undefined;
  }

  /** Processes, the machine and databases: handed to the programs that do the same. */
  #controls({ cmdlet, given }: CmdletCall): undefined {
    const { emit } = this;
    const { values, operands } = given;
    if (cmdlet === "start-process") {
      if (/^runas$/i.test(parameter(given, "verb")?.value ?? ""))
        emit.effect({ kind: "privilege", program: "Start-Process", reason: "Start-Process -Verb RunAs" });
      const [program, ...more] = [...(values.get("filepath") ?? []), ...operands];
      const list = [...(values.get("argumentlist") ?? []), ...(values.get("args") ?? []), ...more];
      if (program) this.#native(program, list.flatMap(split));
    } else if (cmdlet === "stop-process") {
      const name = parameter(given, "name", "n");
      const words = name
        ? [literal("pkill"), this.#path(name)]
        : [literal("kill"), ...this.#targets(given, undefined, 8)];
      emit.run(words, "Stop-Process");
    } else if (cmdlet === "invoke-sqlcmd") {
      const query = parameter(given, "query", "q") ?? operands[0];
      emit.run([literal("sqlcmd"), literal("-Q"), query ? this.#path(query) : { source: "", prefix: "" }], cmdlet);
    } else emit.run([literal("shutdown"), literal("now")], cmdlet);
    return undefined;
  }

  /** A cmdlet without a row of its own, or a program. */
  #otherCommand(call: CmdletCall): Arg | undefined {
    const { cmdlet, head, args, given, item } = call;
    const found = given.has("whatif") ? undefined : grave(cmdlet);
    if (found) this.#say(found, call);
    else if (isQuiet(cmdlet)) return item;
    else if (/^[a-z]+-[a-z]+$/.test(cmdlet) && !/^(git|npm|docker|kubectl|apt|cargo|yarn|pip)-/.test(cmdlet))
      this.emit.unknown(`PowerShell: no table knows ${cmdlet}`);
    else if (!/^['"[$@(\d{-]/.test(head.source)) this.#native(head, args);
    return undefined;
  }

  /** A program: PowerShell hands it the words as they are. */
  #native(program: Word, args: readonly Word[]): undefined {
    const word = ({ source, value, prefix, variable }: Word): Arg =>
      (variable && this.known.get(variable)) || {
        source,
        ...(value !== undefined && { value: value.replace(/^~(?=[/\\]|$)/, this.emit.home ?? "~") }),
        prefix,
      };
    const name = word(program);
    this.emit.run(
      [name.value ? literal(name.value.replace(/\.exe$/i, "")) : name, ...args.map(word)],
      "PowerShell starts it",
    );
    return undefined;
  }
}

const split = (word: Word): Word[] =>
  word.value === undefined || !word.value.includes(" ")
    ? [word]
    : word.value
        .trim()
        .split(/\s+/)
        .map((value) => ({ source: value, value, prefix: value }));
