// Lua, R and AppleScript: few forms matter, the rest is unknown.
// Invariant: a call not listed makes the program unknown.

import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { wordSet } from "../word-set.js";
import * as m from "./call-effects.js";
import { analyseWith } from "./calls.js";
import type { Meaning, Vocabulary } from "./vocabulary.js";

const luaVocabulary: Vocabulary = {
  language: "Lua",
  id: "lua",
  dialect: { lineComments: ["--"], quotes: { plain: "'\"", computed: "" }, long: true },
  keywords: wordSet(`
  and break do else elseif end false for function goto if in local nil not or repeat return then true until while`),
  dots: new Set([".", ":"]),
  meanings: {
    "io.open": m.opens("mode"),
    "io.output": m.writes(),
    "io.lines": m.readsPath(),
    "io.popen": m.runsShell(),
    "os.execute": m.runsShell(),
    "os.remove": m.deletes(),
    "os.rename": m.transfers({ moves: true }),
    load: m.evaluates,
    loadstring: m.evaluates,
    dofile: m.loads,
    loadfile: m.loads,
    require: m.loads,
    "vim.fn.system": m.runsShell(),
  },
  harmless: wordSet(`
  print type tostring tonumber pairs ipairs next select assert error pcall xpcall unpack rawget rawset setmetatable
  getmetatable string.* table.* math.* utf8.* os.time os.date os.clock os.getenv os.exit os.tmpname io.write io.read
  io.type .read .write .lines .close .format .rep .sub .gsub .match .gmatch .find .upper .lower .len .byte`),
  globals: wordSet("io os string table math utf8 vim"),
};

const toConnection =
  (position: number, keyword: string): Meaning =>
  (call, scope) => {
    const target = call.args[position] ?? call.keywords.get(keyword);
    if (target) scope.emit.write(scope.word(target), call.name);
  };

const rVocabulary: Vocabulary = {
  language: "R",
  id: "r",
  dialect: { lineComments: ["#"], quotes: { plain: "'\"", computed: "" } },
  keywords: wordSet("if else for while repeat function return next break in TRUE FALSE NULL NA Inf NaN"),
  dots: new Set(["::", "."]),
  meanings: {
    writeLines: toConnection(1, "con"),
    cat: toConnection(99, "file"),
    sink: m.writes(),
    saveRDS: toConnection(1, "file"),
    save: toConnection(99, "file"),
    dput: toConnection(1, "file"),
    "write.csv": toConnection(1, "file"),
    "write.table": toConnection(1, "file"),
    write: toConnection(1, "file"),
    ggsave: m.writes(),
    pdf: m.writes(),
    png: m.writes(),
    unlink: (call, scope) =>
      m.deletes(m.argument(0), call.keywords.get("recursive")?.[0]?.text === "TRUE")(call, scope),
    "file.remove": m.deletes(),
    "file.rename": m.transfers({ moves: true }),
    "file.copy": m.transfers(),
    "file.create": m.writes(),
    "dir.create": m.writes(),
    readLines: m.readsPath(),
    readRDS: m.readsPath(),
    "read.csv": m.readsPath(),
    "read.table": m.readsPath(),
    source: (call, scope) => scope.emit.script(scope.word(call.args[0]), "source", "r"),
    system: m.runsShell(),
    system2: m.spawns,
    "download.file": (call, scope) => {
      m.networkCall()(call, scope);
      m.writes(m.argument(1, "destfile"))(call, scope);
    },
    "install.packages": m.networkCall(),
    eval: m.evaluates,
    parse: m.loads,
    "Sys.setenv": m.nothing,
  },
  harmless: wordSet(`
  print paste paste0 c list vector length nchar sum mean median sd var min max range seq seq_len seq_along rep sort
  order rev unique table head tail summary str names colnames rownames nrow ncol dim matrix data.frame factor levels
  as.numeric as.character as.integer is.na is.null ifelse which any all apply lapply sapply vapply mapply Map Reduce
  Filter do.call sprintf format round floor ceiling sqrt exp log abs strsplit gsub sub grepl regmatches toupper
  tolower trimws substr rnorm runif sample set.seed library require suppressMessages Sys.time Sys.Date Sys.getenv
  date file.exists list.files basename dirname normalizePath getwd packageVersion sessionInfo R.version.string quit
  q stop warning message tryCatch invisible identity cbind rbind merge aggregate subset with transform lm glm t.test
  cor quantile interactive commandArgs nlevels setdiff union intersect cumsum diff outer crossprod`),
  globals: wordSet("file dir write read Sys download install data as is set t do R list"),
};

export const lua = (text: string, emit: Emit): void => analyseWith(luaVocabulary, text, emit);
export const r = (text: string, emit: Emit): void => analyseWith(rVocabulary, text, emit);

/** `do shell script "..."` is the door to the shell; scripting another application is out of sight. */
export function applescript(text: string, emit: Emit): void {
  const program = text.replace(/--[^\n]*|#[^\n]*|\(\*[\s\S]*?\*\)/g, "");
  let known = false;
  for (const [, quoted] of program.matchAll(/\bdo\s+shell\s+script\s+(?:"((?:[^"\\]|\\.)*)")?/gi)) {
    if (quoted === undefined) emit.unknown("do shell script with computed text");
    else emit.shell(literal(quoted.replace(/\\(.)/g, "$1")), "do shell script");
    known = true;
  }
  const statements = program
    .split(/\n|\r/)
    .map((line) => line.trim())
    .filter(Boolean);
  if (
    /\btell\s+app(lication)?\s+"Finder"/i.test(program) &&
    /\b(delete\s+(every|all|items?|folder|disk|home|desktop)|empty\s+(the\s+)?trash)\b/i.test(program)
  )
    emit.hazard(hazard("finder-delete"), "the Finder deletes many files");
  const isQuiet = (line: string) => quietStatements.some((pattern) => pattern.test(line));
  if (!statements.every(isQuiet)) emit.unknown("AppleScript controls other applications");
  else if (known && /with administrator privileges/i.test(program))
    emit.effect({ kind: "privilege", reason: "with administrator privileges" });
}

/** AppleScript that shows, says or asks something, or runs plain shell text. */
const quietStatements = [
  /^display\s+(notification|dialog|alert)\b/i,
  /^(return|say|beep|log)\b/i,
  /^set\s+\w+\s+to\s+("[^"]*"|\d+)$/i,
  /^get\s+(version|volume settings|the clipboard)/i,
  /^do\s+shell\s+script\s+"(?:[^"\\]|\\.)*"(\s+with administrator privileges)?$/i,
];
