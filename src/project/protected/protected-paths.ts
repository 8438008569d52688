// The protected places, as data: what switches an agent's gates off, outlives the session, or is our own record.
// Invariant: a place is protected whether it exists or not; what developers edit as content (commands, CLAUDE.md,
// workflows) is not in here.

export type ProtectedKind =
  | "agent-settings"
  | "agent-hooks"
  | "mcp"
  | "transcript"
  | "interlock"
  | "configuration"
  | "other-agent"
  | "git"
  | "startup"
  | "persistence";

export interface ProtectedRow {
  kind: ProtectedKind;
  /** Completes "it is protected because ...". */
  why: string;
  /** Relative to the table's base; its first name has no wildcard. */
  path: string;
}

/** Rows by their first name, case-folded: a path is compared only with the rows of its own names. */
export type ProtectedTable = ReadonlyMap<string, readonly ProtectedRow[]>;

type Group = [kind: ProtectedKind, why: string, paths: string[]];

function table(...groups: Group[]): ProtectedTable {
  const rows = new Map<string, ProtectedRow[]>();
  for (const [kind, why, paths] of groups)
    for (const path of paths) {
      const first = path.split("/", 1)[0]!.toLowerCase();
      const known = rows.get(first);
      if (known) known.push({ kind, why, path });
      else rows.set(first, [{ kind, why, path }]);
    }
  return rows;
}

const settings = "it can switch Claude Code's hooks off or change its permissions";
const managed = "it holds the managed settings of Claude Code";
const hooks = "Claude Code runs what lies there as hooks";
const mcp = "it starts programs as MCP servers of the agent";
const gates = "it configures Interlock's gates";
const gitHooks = "git runs what lies there on commits and checkouts";
const gitConfig = "it can name programs git runs, and switch its hooks off";
const shell = "every new shell runs it";
const service = "the system starts what is named there without anybody asking";
const access = "it opens this account or machine to others";
const hooksOf = (agent: string) => `it configures the hooks of ${agent}`;

/** In any folder: sub-projects, worktrees and parents count as much as the project. */
export const ANYWHERE = table(
  ["agent-settings", settings, [".claude/settings*.json"]],
  ["agent-hooks", hooks, [".claude/hooks/**"]],
  ["agent-settings", managed, ["ProgramData/ClaudeCode/**", "Program Files/ClaudeCode/**"]],
  ["mcp", mcp, [".mcp.json"]],
  ["configuration", gates, ["interlock.yaml", "interlock.yml"]],
  [
    "other-agent",
    hooksOf("Gemini CLI"),
    [
      ".gemini/settings.json",
      ".gemini/hooks/**",
      ".gemini/extensions/**",
      ".gemini/trustedFolders.json",
      "ProgramData/gemini-cli/**",
    ],
  ],
  [
    "other-agent",
    hooksOf("Codex"),
    [".codex/config.toml", ".codex/hooks.json", ".codex/hooks/**", ".codex/requirements.toml"],
  ],
  ["other-agent", hooksOf("GitHub Copilot"), [".github/hooks/**", ".github/copilot/settings*.json"]],
  [
    "other-agent",
    hooksOf("Cursor"),
    [".cursor/hooks.json", ".cursor/hooks/**", ".cursor/mcp.json", "ProgramData/Cursor/hooks.json"],
  ],
  [
    "other-agent",
    hooksOf("opencode"),
    [".opencode/plugin/**", ".opencode/plugins/**", "opencode.json", "opencode.jsonc"],
  ],
  ["git", gitHooks, [".git/hooks/**", ".git/modules/**/hooks/**"]],
  [
    "git",
    gitConfig,
    [".git/config", ".git/config.worktree", ".git/commondir", ".git/gitdir", ".git/modules/**/config"],
  ],
  ["git", gitConfig, [".git/worktrees/*/config.worktree", ".git/worktrees/*/commondir", ".git/worktrees/*/gitdir"]],
);

/** Folders that contain protected files wherever they are: deleting or replacing one deletes its settings. */
export const CARRIERS: ReadonlySet<string> = new Set([".claude", ".gemini", ".codex", ".cursor", ".opencode"]);

/** Claude Code's own folder: `~/.claude` and CLAUDE_CONFIG_DIR. */
export const CLAUDE = table(
  ["agent-settings", settings, ["settings.json", "settings.local.json", "remote-settings.json"]],
  ["agent-hooks", hooks, ["hooks/**", "plugins/**"]],
  ["transcript", "Interlock checks what a person typed against it", ["projects/**/*.jsonl"]],
  ["mcp", mcp, [".claude.json"]],
);

export const HOME = table(
  ["agent-settings", settings, ["Library/Preferences/com.anthropic.claudecode.plist"]],
  ["mcp", mcp, [".claude.json"]],
  ["configuration", gates, [".config/interlock/**"]],
  ["other-agent", hooksOf("GitHub Copilot"), [".copilot/**"]],
  ["other-agent", hooksOf("opencode"), [".config/opencode/**"]],
  ["git", gitConfig, [".gitconfig", ".config/git/config"]],
  ["git", gitHooks, [".config/git/hooks/**"]],
  [
    "startup",
    shell,
    [
      ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"],
      ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".config/zsh/.z*"],
      ...[
        ".cshrc",
        ".tcshrc",
        ".login",
        ".kshrc",
        ".mkshrc",
        ".pam_environment",
        ".xprofile",
        ".xinitrc",
        ".xsessionrc",
      ],
      ...[".config/fish/config.fish", ".config/fish/conf.d/**", ".config/fish/functions/**"],
      ...[".config/environment.d/**", ".config/powershell/**"],
      ...["Documents/PowerShell/*profile.ps1", "Documents/WindowsPowerShell/*profile.ps1"],
    ],
  ],
  [
    "persistence",
    service,
    [
      "Library/LaunchAgents/**",
      ".config/systemd/user/**",
      ".local/share/systemd/user/**",
      ".config/autostart/**",
      ".config/cron/**",
    ],
  ],
  [
    "persistence",
    access,
    [".ssh/authorized_keys", ".ssh/authorized_keys2", ".ssh/config", ".ssh/config.d/**", ".ssh/rc", ".ssh/environment"],
  ],
);

export const SYSTEM = table(
  [
    "agent-settings",
    managed,
    [
      "etc/claude-code/**",
      "Library/Application Support/ClaudeCode/**",
      "Library/Managed Preferences/com.anthropic.claudecode.plist",
    ],
  ],
  ["other-agent", hooksOf("Gemini CLI"), ["etc/gemini-cli/**", "Library/Application Support/GeminiCli/**"]],
  ["other-agent", hooksOf("Codex"), ["etc/codex/**"]],
  ["other-agent", hooksOf("GitHub Copilot"), ["etc/github-copilot/**"]],
  ["other-agent", hooksOf("Cursor"), ["etc/cursor/**", "Library/Application Support/Cursor/hooks.json"]],
  ["git", gitConfig, ["etc/gitconfig"]],
  [
    "startup",
    shell,
    [
      ...["etc/profile", "etc/profile.d/**", "etc/bash.bashrc", "etc/bashrc", "etc/environment", "etc/csh.cshrc"],
      ...["etc/zshrc", "etc/zshenv", "etc/zprofile", "etc/zsh/**", "etc/fish/**"],
    ],
  ],
  [
    "persistence",
    service,
    [
      ...["Library/LaunchAgents/**", "Library/LaunchDaemons/**", "etc/systemd/**", "etc/init.d/**", "etc/rc.local"],
      ...[
        "usr/lib/systemd/**",
        "lib/systemd/**",
        "etc/ld.so.preload",
        "etc/crontab",
        "etc/anacrontab",
        "etc/cron.d/**",
      ],
      ...["etc/cron.hourly/**", "etc/cron.daily/**", "etc/cron.weekly/**", "etc/cron.monthly/**"],
      ...["var/spool/cron/**", "var/at/tabs/**"],
    ],
  ],
  ["persistence", access, ["etc/ssh/**", "etc/sudoers", "etc/sudoers.d/**", "etc/pam.d/**"]],
);

/** A git directory that lies apart from its work tree. */
export const GIT = table(
  ["git", gitHooks, ["hooks/**"]],
  ["git", gitConfig, ["config", "config.worktree", "commondir", "gitdir"]],
);

export const PROJECT = table(["git", "it says which repository this folder belongs to", [".git"]]);

export const PACKAGE = table(["interlock", "it is Interlock's own program", ["dist/**"]]);

export const RECORD: Omit<ProtectedRow, "path"> = {
  kind: "interlock",
  why: "it holds Interlock's ledger, state and key",
};
