// What a file is by its name. Invariant: pure; a name nobody knows is "other", which is compared token by token.

export type FileKind = "script" | "python" | "prose" | "configuration" | "other";

const prose = new Set("md markdown mdx txt text rst adoc asciidoc org tex pod rdoc textile".split(" "));
const proseNames = /^(?:readme|license|licence|copying|notice|authors|contributors|changelog|changes|history|todo)$/;
const settings = new Set(
  (
    "json jsonc json5 jsonl yaml yml toml ini cfg conf config properties env lock lockb editorconfig gitignore " +
    "gitattributes dockerignore npmrc nvmrc prettierrc eslintrc babelrc plist tf tfvars hcl csv tsv xml service"
  ).split(" "),
);
const settingNames =
  /^(?:dockerfile(?:\..+)?|containerfile|makefile|gnumakefile|procfile|gemfile|pipfile|brewfile|vagrantfile|jenkinsfile|codeowners|\.env(?:\..+)?|requirements(?:[-_.].*)?\.txt|constraints\.txt|go\.(?:mod|sum)|cmakelists\.txt|\.[a-z]+rc|\.(?:git|docker|npm|eslint|prettier|intent)ignore)$/;

export const extensionOf = (path: string): string => /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

export function fileKind(path: string): FileKind {
  const name = (/[^/\\]+$/.exec(path)?.[0] ?? "").toLowerCase();
  const extension = extensionOf(name);
  if (settingNames.test(name)) return "configuration";
  if (/^(?:[cm]?[jt]s|[jt]sx)$/.test(extension)) return "script";
  if (/^pyi?$|^pyw$/.test(extension)) return "python";
  if (prose.has(extension) || proseNames.test(name)) return "prose";
  if (settings.has(extension)) return "configuration";
  return "other";
}
