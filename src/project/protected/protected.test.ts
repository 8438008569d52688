// Protected places: 10,000 spellings are all recognised, ordinary project paths never are.
import assert from "node:assert/strict";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { until } from "../../testing/until.js";
import { canonicalPath } from "../canonical-path.js";
import { type Operation, type ProtectedKind, protectedSet } from "./protected.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "interlock-protected-")));
after(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, "Homé");
const project = join(home, "work/Project");
const places = {
  home,
  projectRoot: project,
  interlockHome: join(home, ".local/state/interlock"),
  configDir: join(root, "claude-config"),
  packageDir: join(root, "lib/node_modules/agent-interlock"),
  gitDirs: [join(root, "store/main.git")],
};
const write = (path: string, text = "{}") => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const inProject = (p: string) => join(project, p);
const inHome = (p: string) => join(home, p);
const guarded: [path: string, kind: ProtectedKind][] = [
  [inProject(".claude/settings.json"), "agent-settings"],
  [inProject(".claude/settings.local.json"), "agent-settings"],
  [inProject("packages/sub/.claude/settings.json"), "agent-settings"],
  [inHome(".claude/settings.json"), "agent-settings"],
  [join(root, "claude-config/settings.json"), "agent-settings"],
  ["/etc/claude-code/managed-settings.json", "agent-settings"],
  ["/etc/claude-code/managed-settings.d/10-x.json", "agent-settings"],
  ["/Library/Application Support/ClaudeCode/managed-settings.json", "agent-settings"],
  ["/mnt/c/ProgramData/ClaudeCode/managed-settings.json", "agent-settings"],
  [inProject(".claude/hooks/pre.sh"), "agent-hooks"],
  [inHome(".claude/plugins/cache/kit/hooks/hooks.json"), "agent-hooks"],
  [join(root, "claude-config/hooks/x"), "agent-hooks"],
  [inProject(".mcp.json"), "mcp"],
  [inHome(".claude.json"), "mcp"],
  [inHome(".claude/projects/-home-x/abc.jsonl"), "transcript"],
  [inHome(".local/state/interlock/key"), "interlock"],
  [inHome(".local/state/interlock/repos/0123/ledger/000001.jsonl"), "interlock"],
  [join(root, "lib/node_modules/agent-interlock/dist/interlock.cjs"), "interlock"],
  [inProject("interlock.yaml"), "configuration"],
  [inHome(".config/interlock/interlock.yaml"), "configuration"],
  [inProject(".gemini/settings.json"), "other-agent"],
  [inHome(".gemini/settings.json"), "other-agent"],
  ["/etc/gemini-cli/settings.json", "other-agent"],
  [inProject(".codex/config.toml"), "other-agent"],
  [inHome(".codex/hooks.json"), "other-agent"],
  [inProject(".github/hooks/policy.json"), "other-agent"],
  [inHome(".copilot/hooks/x.json"), "other-agent"],
  ["/etc/github-copilot/policy.d/x.json", "other-agent"],
  [inProject(".cursor/hooks.json"), "other-agent"],
  [inHome(".cursor/hooks.json"), "other-agent"],
  [inProject(".opencode/plugins/interlock.js"), "other-agent"],
  [inProject("opencode.json"), "other-agent"],
  [inHome(".config/opencode/opencode.jsonc"), "other-agent"],
  [inProject(".git/hooks/pre-commit"), "git"],
  [inProject(".git/config"), "git"],
  [inProject(".git/modules/lib/hooks/post-checkout"), "git"],
  [inProject(".git/modules/lib/config"), "git"],
  [inProject(".git/worktrees/x/config.worktree"), "git"],
  [join(root, "store/main.git/hooks/pre-push"), "git"],
  [join(root, "store/main.git/config"), "git"],
  [inHome(".gitconfig"), "git"],
  [inHome(".bashrc"), "startup"],
  [inHome(".zshenv"), "startup"],
  [inHome(".config/fish/conf.d/x.fish"), "startup"],
  ["/etc/profile.d/x.sh", "startup"],
  [inHome(".ssh/authorized_keys"), "persistence"],
  [inHome(".ssh/config"), "persistence"],
  [inHome(".config/systemd/user/x.service"), "persistence"],
  [inHome("Library/LaunchAgents/x.plist"), "persistence"],
  ["/etc/cron.d/x", "persistence"],
  ["/var/spool/cron/crontabs/me", "persistence"],
];

// Every other place in the temporary folder exists, the rest does not: both are protected.
const isOurs = (path: string) => path.startsWith(root);
for (const [i, [path]] of guarded.entries()) if (isOurs(path) && i % 2 === 0) write(path);
const set = protectedSet(places);
const judge = (spelling: string, operation: Operation = "write", cwd = project) =>
  set.as(canonicalPath(spelling, cwd, home), operation);

for (const [path, kind] of guarded)
  test(`${path.replace(root, "")} is protected as ${kind}`, () => {
    const entry = judge(path);
    assert.equal(entry?.kind, kind);
    assert.ok(entry.why.length > 10 && entry.place.length > 3);
  });

test("10,000 spellings of protected paths are all recognised", () => {
  const random = generator(20_261_115);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const links = join(root, "links");
  mkdirSync(links);
  let made = 0;
  const linkTo = (target: string): string => {
    const name = join(links, `l${made++}`);
    symlinkSync(random() < 0.5 ? target : relative(links, target), name);
    return name;
  };
  const fileLinks = new Map<string, string>();
  const once = (path: string, kind: string, make: () => string) => {
    const key = `${kind} ${path}`;
    if (!fileLinks.has(key)) fileLinks.set(key, make());
    return fileLinks.get(key)!;
  };

  type Rewrite = (path: string) => string;
  /** Change which file is reached only through the disk: applied first, at most one. */
  const reach: [applies: (p: string) => boolean, Rewrite][] = [
    [() => true, (p) => p],
    [isOurs, (p) => once(p, "file", () => linkTo(p))],
    [
      isOurs,
      (p) =>
        join(
          once(p, "dir", () => linkTo(dirname(p))),
          basename(p),
        ),
    ],
    [
      isOurs,
      (p) =>
        join(
          once(p, "up", () => linkTo(dirname(dirname(p)))),
          basename(dirname(p)),
          basename(p),
        ),
    ],
    [() => true, (p) => `/proc/self/root${p}`],
    [() => true, (p) => `/proc/self/task/77/root${p}`],
    [isOurs, (p) => `/proc/self/cwd/${relative(project, p)}`],
    [isOurs, (p) => relative(project, p)],
    [(p) => p.startsWith(home), (p) => `~/${relative(home, p)}`],
    [() => true, (p) => `file://${p.split("/").map(encodeURIComponent).join("/")}`],
    [() => true, (p) => `\\\\?\\${p}`],
    [() => true, (p) => `\\??\\${p.replaceAll("/", "\\")}`],
  ];
  /** Spellings of the same text: any number of them, on a name or a separator. */
  const invisibles = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u202e", "\u00ad", "\ufe0f", "\u061c"];
  const onName =
    (f: (name: string) => string): Rewrite =>
    (p) => {
      // One of the last two names; a link's own name can't be misspelled, the disk would not find it.
      const names = p.split("/");
      const real = [...names.keys()].filter(
        (i) =>
          /[a-z\u017f]/i.test(names[i]!) && !/^(?:links|l\d+|proc|self|root|cwd|file:|\\.*|.*%.*)$/.test(names[i]!),
      );
      const at = pick(real.slice(p.includes("/links/l") ? -1 : -2));
      if (at === undefined) return p;
      const name = names[at]!;
      names[at] = f(name);
      return names.join("/");
    };
  const spell: Rewrite[] = [
    onName((n) => n.toUpperCase()),
    onName((n) => [...n].map((c) => (random() < 0.5 ? c.toUpperCase() : c)).join("")),
    onName((n) => n.replace(/s/, "\u017f").replace(/k/, "\u212a")),
    (p) => p.normalize("NFD"),
    (p) => p.normalize("NFC"),
    onName((n) => [...n].map((c) => (random() < 0.3 ? c + pick(invisibles) : c)).join("")),
    (p) =>
      p.startsWith("file:") || p.startsWith("\\")
        ? p
        : p.replace(/(?<=.)\/(?=[^/]+$)/, pick(["//", "/./", "///", "/x/../", "/./././"])),
    (p) => p + pick(["/", ".", " ", "//", "/./", "...", " ."]),
    onName((n) => n + pick([".", " ", ". ."])),
  ];
  const missed: string[] = [];
  for (let i = 0; i < 10_000; i++) {
    const [path, kind] = guarded[i % guarded.length]!;
    const [, detour] = pick(reach.filter(([applies]) => applies(path)));
    let spelled = detour(path);
    const linked = spelled.startsWith(links) || /^\.\.\/.*links\//.test(spelled);
    if (!linked || basename(spelled) === basename(path))
      for (let n = Math.floor(random() * 4); n > 0; n--) spelled = pick(spell)(spelled);
    const entry = judge(spelled);
    if (!entry || (entry.kind !== kind && !linked))
      missed.push(`${JSON.stringify(spelled)} for ${path}: ${entry?.kind}`);
  }
  assert.deepEqual(missed.slice(0, 10), [], `${missed.length} missed`);
});

test("hard links are recognised by identity, in any folder and under any name", () => {
  for (const [i, [path, kind]] of guarded.entries()) {
    if (!isOurs(path) || i % 2) continue;
    const link = join(root, `hard-${i}.txt`);
    linkSync(path, link);
    assert.equal(protectedSet(places).as(canonicalPath(link, project, home), "write")?.kind, kind, path);
  }
});

test("a settings file that is a link is protected where it leads, too", () => {
  const dotfiles = join(root, "dotfiles/zprofile");
  write(dotfiles, "");
  symlinkSync(dotfiles, inHome(".zprofile"));
  assert.equal(protectedSet(places).as(canonicalPath(dotfiles, project, home), "write")?.kind, "startup");
});

test("a link made after a look at the same folders is seen by the next look", async (t) => {
  const at = join(root, "later");
  const elsewhere = join(at, "elsewhere");
  const later = { ...places, home: join(at, "home"), projectRoot: join(at, "project"), configDir: undefined };
  mkdirSync(join(later.home, ".claude"), { recursive: true });
  mkdirSync(later.projectRoot);
  mkdirSync(elsewhere);
  const leads = (name: string) =>
    protectedSet(later).as(canonicalPath(join(elsewhere, name), "/"), "write") !== undefined;
  assert.equal(leads("settings.json"), false);
  // Folders unchanged for some seconds are remembered. Here the clock runs ahead instead of the test waiting.
  const { now } = Date;
  t.mock.method(Date, "now", () => now() + 10_000);
  /** Waits until the disk's clock has moved on, so that the next change to the folder shows in its stat data. */
  const nextTick = () =>
    until(() => {
      writeFileSync(join(at, "probe"), "");
      return statSync(join(at, "probe")).mtimeMs > statSync(join(later.home, ".claude")).mtimeMs;
    }, "a later time on the disk");
  assert.equal(leads("settings.json"), false);
  await nextTick();
  symlinkSync(join(elsewhere, "settings.json"), join(later.home, ".claude/settings.json"));
  assert.equal(leads("settings.json"), true);
  await nextTick();
  assert.equal(leads("settings.json"), true);
  rmSync(join(later.home, ".claude/settings.json"));
  symlinkSync(join(elsewhere, "other.json"), join(later.home, ".claude/settings.json"));
  assert.deepEqual([leads("settings.json"), leads("other.json")], [false, true]);
});

test("a folder that is a link is protected where it leads, for files that do not exist yet", () => {
  const other = join(root, "second-home");
  mkdirSync(join(root, "dotfiles/claude"), { recursive: true });
  mkdirSync(other);
  symlinkSync(join(root, "dotfiles/claude"), join(other, ".claude"));
  const linked = protectedSet({ ...places, home: other });
  assert.equal(
    linked.as(canonicalPath(join(root, "dotfiles/claude/settings.json"), project, other), "write")?.kind,
    "agent-settings",
  );
});

const covering: [path: string, expected: boolean][] = [
  [inProject(".claude"), true],
  [inProject("packages/sub/.claude"), true],
  [inProject(".git"), true],
  [inProject(".git/hooks"), true],
  [project, true],
  [home, true],
  ["/", true],
  ["/etc", true],
  [inHome(".config"), true],
  [join(root, "claude-config"), true],
  [inProject("packages"), false],
  [inProject("node_modules"), false],
  [inProject(".github/workflows"), false],
  [inProject(".claude/commands"), false],
  [join(root, "dotfiles"), false],
  ["/tmp/clone/.git", false],
];
for (const [path, expected] of covering)
  test(`deleting ${path.replace(root, "")} ${expected ? "deletes" : "does not touch"} a protected place`, () => {
    assert.equal(judge(path, "delete") !== undefined, expected);
  });

const replaced: [path: string, expected: boolean][] = [
  [inProject(".claude"), true],
  [inProject("packages/sub/.claude"), true],
  [inProject(".git"), true],
  [inHome(".ssh"), true],
  [inHome(".config/fish"), true],
  [join(root, "claude-config"), true],
  [project, false],
  [home, false],
  ["/tmp", false],
  [inProject("src"), false],
  [inProject(".claude/commands"), false],
];
for (const [path, expected] of replaced)
  test(`a folder copied onto ${path.replace(root, "")} ${expected ? "may" : "can't"} hit a protected place`, () => {
    assert.equal(judge(path, "replace") !== undefined, expected);
  });

test("only our own record is protected from reading", () => {
  assert.equal(judge(inHome(".local/state/interlock/key"), "read")?.kind, "interlock");
  for (const path of [".claude/settings.json", ".git/config", ".mcp.json", "interlock.yaml"])
    assert.equal(judge(path, "read"), undefined);
});

const globs: [pattern: string, operation: Operation, expected: boolean][] = [
  [".claude/*.json", "write", true],
  [".claude/s*", "write", true],
  [".c*/settings.json", "write", true],
  [".claude/hooks/*", "delete", true],
  [".git/hooks/*.sample", "delete", true],
  [".*", "delete", true],
  ["*", "delete", true], // interlock.yaml stands there
  ["src/*", "delete", false],
  ["packages/*/.claude", "delete", true],
  ["packages/*/.claude/settings.json", "write", true],
  ["src/*.json", "write", false],
  ["**/*.ts", "write", false],
  ["**/*.json", "write", false],
  ["**/settings*.json", "write", true],
  ["**/package.json", "write", false],
  ["*.json", "delete", false], // opencode.json does not stand there
  [".claude/commands/*.md", "delete", false],
  ["packages/*/src", "delete", false],
];
for (const [pattern, operation, expected] of globs)
  test(`${operation} of ${pattern} ${expected ? "touches" : "leaves"} protected places`, () => {
    assert.equal(set.asGlob(`${project}/${pattern}`, operation) !== undefined, expected);
  });

test("existing() lists what stands there, and nothing else", () => {
  const existing = set.existing();
  assert.ok(existing.includes(inProject(".claude/settings.json")));
  assert.ok(!existing.includes(inProject(".claude/settings.local.json")));
});

const ordinary = `
  src/settings.json src/index.ts src/.claude.ts docs/.claude-notes.md docs/claude/settings.json claude/settings.json
  .claude/commands/x.md .claude/commands/team/review.md .claude/agents/reviewer.md .claude/skills/pdf/SKILL.md
  .claude/CLAUDE.md .claude/rules/style.md .claude/output-styles/terse.md .claude/settings.md
  .claude/notes/settings.json
  .claude/worktrees.txt CLAUDE.md AGENTS.md GEMINI.md .claudeignore .claude.md settings.json settings.local.json
  .github/workflows/ci.yml .github/dependabot.yml .github/CODEOWNERS .github/ISSUE_TEMPLATE/bug.md
  .github/copilot-instructions.md
  .github/hooks.md .github/actions/x/action.yml .gitignore .gitattributes .gitmodules .git-blame-ignore-revs .gitkeep
  .git/COMMIT_EDITMSG .git/info/exclude .git/description .githooks/pre-commit .husky/pre-commit hooks/pre-commit
  git/hooks/x
  package.json package-lock.json tsconfig.json pnpm-lock.yaml yarn.lock bun.lockb deno.json Cargo.toml go.mod
  pyproject.toml
  requirements.txt setup.cfg Makefile Dockerfile docker-compose.yml .dockerignore .env.example .editorconfig .prettierrc
  .eslintrc.json eslint.config.js biome.json vite.config.ts jest.config.js vitest.config.ts playwright.config.ts
  .vscode/settings.json .vscode/launch.json .vscode/mcp.json .idea/workspace.xml .devcontainer/devcontainer.json
  .cursor/rules/x.mdc .cursorrules .cursorignore .codex/AGENTS.md .codex/prompts/x.md .gemini/GEMINI.md
  .gemini/commands/x.toml
  .opencode/agent/x.md .opencode/command/y.md opencode.md src/opencode.ts src/mcp.json mcp.json .mcp.json.md
  docs/.mcp.jsonc
  config.toml config/hooks.json hooks.json hooks/hooks.json src/hooks/useAuth.ts src/hooks/settings.ts
  app/hooks/index.tsx
  interlock.md src/interlock.ts interlock.yaml.md docs/interlock-yaml.md my-interlock.yaml interlock.schema.json
  README.md LICENSE CHANGELOG.md CONTRIBUTING.md docs/index.md docs/git/config.md test/fixtures/settings.json
  test/bashrc.test.ts scripts/profile.ts profile .profile .bashrc dotfiles/.zshrc templates/.bashrc etc/profile
  etc/cron.d/x
  ssh/config .ssh-notes src/ssh/authorized_keys.ts systemd/user/x.service deploy/crontab deploy/etc/sudoers
  Library/LaunchAgents/x.plist public/index.html src/App.tsx src/App.module.css src/styles/main.scss assets/logo.svg
  migrations/001_init.sql db/schema.sql prisma/schema.prisma api/openapi.yaml proto/x.proto k8s/deploy.yaml
  infra/main.tf
  ansible/site.yml charts/app/values.yaml src/main.rs cmd/server/main.go lib/app.rb app/models/user.rb
  src/main/java/A.java
  src/claude/settings.ts src/.claude-settings.json packages/a/package.json packages/b/src/index.ts
  node_modules/x/index.js
  dist/index.js build/out.js coverage/lcov.info tmp/x.log logs/app.log .cache/x .turbo/x .next/server.js out.txt
  notes.txt
  a..b/c...d x~1.txt src/~temp.ts "src/with space.ts" src/ünïcode.ts src/日本語.ts src/ſ.ts src/.git.ts .gitlab-ci.yml
`;
test("ordinary project paths are never protected", () => {
  const paths = [...ordinary.matchAll(/"([^"]+)"|(\S+)/g)].map((m) => m[1] ?? m[2]!);
  assert.ok(paths.length >= 150, `${paths.length} paths`);
  const wrong = paths.flatMap((path) =>
    (["read", "write", "delete"] as const).flatMap((op) =>
      judge(path, op) ? [`${op} ${path}: ${judge(path, op)?.place}`] : [],
    ),
  );
  assert.deepEqual(wrong, []);
});

test("ordinary paths elsewhere are not protected either", () => {
  for (const path of [
    "/tmp/x.json",
    "/dev/null",
    "/etc/hosts",
    "/usr/local/bin/tool",
    inHome("notes.md"),
    inHome(".cache/x"),
    inHome(".npm/_logs/x"),
    inHome(".claude/CLAUDE.md"),
    inHome(".claude/projects/-x/memory/MEMORY.md"),
    inHome(".config/nvim/init.lua"),
    inHome(".ssh/known_hosts"),
  ])
    assert.equal(judge(path), undefined, path);
});

/** A small repeatable generator (mulberry32), so that a failure can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
