// Formatters and fixing linters: whether a call writes is a matter of one option.
// Invariant: a call that rewrites files writes the paths it names (the directory when it names none); a checking call does not.

import type { Arg, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { asksHelp, executes, isStream } from "./table.js";

interface Formatter {
  names: string;
  /** Writes only with one of these options ("" for always). */
  writes: readonly string[] | "always";
  /** Never writes with one of these. */
  checks?: readonly string[];
  /** Sub-commands that can write; others only look. */
  verbs?: RegExp;
  /** Loads the project's configuration as code. */
  runs?: boolean;
  takes?: string;
  /** Without paths it formats nothing (reads standard input) instead of the directory. */
  needsPaths?: boolean;
}

const rows: Formatter[] = [
  {
    names: "prettier prettierd",
    writes: ["write", "w"],
    checks: ["check", "list-different"],
    takes: "config= parser= ignore-path= plugin= stdin-filepath= log-level=",
    runs: true,
    needsPaths: true,
  },
  {
    names: "eslint eslint_d xo standard ts-standard oxlint",
    writes: ["fix"],
    checks: ["fix-dry-run"],
    takes:
      "c|config= ext= f|format= o|output-file= rule= parser= plugin= ignore-path= max-warnings= cache-location= rulesdir= env=",
    runs: true,
  },
  {
    names: "biome rome",
    writes: ["write", "apply", "apply-unsafe", "fix", "unsafe"],
    verbs: /^(format|check|lint|migrate)$/,
    takes: "config-path= max-diagnostics= reporter= diagnostic-level= stdin-file-path= only= skip=",
  },
  {
    names: "stylelint markdownlint markdownlint-cli2 textlint remark htmlhint tslint coffeelint",
    writes: ["fix", "f", "o"],
    takes: "config= c= r= formatter=",
    runs: true,
  },
  {
    names: "black blue",
    writes: "always",
    checks: ["check", "diff", "c", "code"],
    takes: "l|line-length= t|target-version= config= include= exclude= c|code= W= extend-exclude= force-exclude=",
    needsPaths: true,
  },
  {
    names: "isort",
    writes: "always",
    checks: ["c", "check", "check-only", "diff", "d", "show-config", "show-files", "stdout"],
    takes: "l= profile= settings-path= sp= sg= s= p= src=",
    needsPaths: true,
  },
  {
    names: "ruff",
    writes: ["fix", "unsafe-fixes", "fix-only", "add-noqa"],
    checks: ["diff", "no-fix", "check"],
    verbs: /^(check|lint)$/,
    takes:
      "config= select= ignore= extend-select= line-length= output-format= target-version= exclude= per-file-ignores= o|output-file= cache-dir= stdin-filename= range=",
  },
  {
    names:
      "autopep8 docformatter djlint sqlfluff pyupgrade add-trailing-comma reorder-python-imports autoflake flynt unimport ssort yapf codespell typos mdformat taplo dprint",
    writes: [
      "i",
      "in-place",
      "w",
      "write-changes",
      "fix",
      "reformat",
      "format",
      "f",
      "r",
      "remove",
      "transform-concats",
    ],
    checks: ["check", "diff", "d", "check-diff"],
    takes: "style= config= c= indent= L= I= S= exclude=",
  },
  {
    names: "rustfmt",
    writes: "always",
    checks: ["check"],
    takes: "edition= config= config-path= emit= color=",
    needsPaths: true,
  },
  { names: "gofmt goimports gofumpt golines gci gotidy", writes: ["w"], takes: "r= local= m= s=", needsPaths: true },
  {
    names: "golangci-lint staticcheck revive",
    writes: ["fix"],
    verbs: /^(run|fmt)$/,
    takes: "c|config= E= D= timeout= out-format=",
    runs: true,
  },
  {
    names: "clang-format clang-tidy astyle uncrustify indent",
    writes: ["i", "fix", "replace", "fix-errors"],
    checks: ["dry-run", "n"],
    takes: "style= assume-filename= lines= checks= p= c=",
    needsPaths: true,
  },
  { names: "shfmt beautysh", writes: ["w", "write"], checks: ["d", "diff", "l"], takes: "i= ln= p=" },
  {
    names: "rubocop standardrb erblint rufo reek",
    writes: ["a", "A", "autocorrect", "autocorrect-all", "auto-correct", "fix", "x", "fix-layout"],
    takes: "c|config= only= except= f|format= o|out=",
    runs: true,
  },
  {
    names: "php-cs-fixer phpcbf pint rector",
    writes: "always",
    checks: ["dry-run", "test", "diff-only", "n"],
    verbs: /^(fix|process|.*)$/,
    takes: "config= rules= standard= path-mode= c=",
    runs: true,
  },
  {
    names:
      "ktlint ktfmt swiftlint google-java-format ormolu fourmolu dfmt purs-tidy zprint cljfmt mix-format erlfmt buf gersemi cmake-format",
    writes: ["F", "format", "fix", "i", "replace", "inplace", "w", "in-place", "yes", "mode"],
    checks: ["lint", "check", "dryrun", "test", "dry-run"],
    takes: "config= rules= m= o=",
  },
  {
    names:
      "swiftformat scalafmt csharpier dotnet-format fantomas elm-format stylua nixfmt alejandra nixpkgs-fmt jscodeshift codemod",
    writes: "always",
    checks: ["lint", "check", "dryrun", "dry-run", "test", "validate", "verify", "d", "dry", "p", "print"],
    takes: "config= rules= swiftversion= exclude= t|transform= parser= extensions= search-parent-directories",
    needsPaths: true,
  },
  {
    names:
      "sort-package-json npm-check-updates ncu ast-grep-rewrite comby-rewrite lebab import-sort eclint editorconfig-checker",
    writes: ["u", "upgrade", "write", "w", "fix", "t", "in-place"],
    checks: ["check", "d", "dry"],
    takes: "t= parser= filter= f=",
  },
];

const family = (row: Formatter): ToolFamily => {
  const grammar = syntax(row.takes ?? "");
  return {
    names: row.names.split(" "),
    lower(call, emit) {
      if (asksHelp(call)) return;
      const given = parse(call.args, grammar);
      let { operands } = given;
      for (const file of given.values("output-file", "out", "o")) emit.write(file, `${call.name} report`);
      const verb = row.verbs ? operands[0]?.value : undefined;
      const sub =
        verb !== undefined &&
        /^(format|check|lint|migrate|fix|process|run|fmt|analyze|rule|linter|clean|config|server|lsp|version|init|ci|explain|search)$/.test(
          verb,
        );
      if (sub) operands = operands.slice(1);
      if (row.runs) executes(call, emit, `${call.name} loads the project's configuration`);
      if (given.has(...(row.checks ?? []))) return;
      // ruff format, sqlfluff fix, dprint fmt write by their name.
      const byVerb = sub
        ? /^(format|fix|fmt|process)$/.test(verb!) && !(call.name === "biome" || call.name === "rome")
        : /^(sqlfluff|dprint|taplo|buf)$/.test(call.name) && /^(fix|fmt|format)$/.test(operands[0]?.value ?? "");
      const always = row.writes === "always" && (!row.verbs || !sub || byVerb);
      const asked =
        row.writes !== "always" && given.has(...row.writes) && !(row.verbs && sub && !row.verbs.test(verb!));
      if (!always && !asked && !byVerb) return;
      const paths = operands.filter((word) => !isStream(word));
      if (paths.length === 0 && (row.needsPaths || operands.length > 0)) return;
      for (const path of paths.length ? paths : [literal(".")])
        emit.write(path, `${call.name} rewrites it`, tree(path));
    },
  };
};

/** A directory is rewritten throughout, a file is itself. */
const tree = (path: Arg): { recursive?: boolean; glob?: boolean } =>
  /\.\w+$/.test(path.value ?? "") && !path.glob && path.value !== "." ? {} : { recursive: true, glob: true };

export const formatters = rows.map(family);
