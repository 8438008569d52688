// The protected places, as data: what switches an agent's gates off, outlives the session, or is our own record.
// Invariant: a place is protected whether it exists or not; what developers edit as content (commands, CLAUDE.md, workflows) is not in here.

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

export interface Places {
  home: string;
  projectRoot: string;
  /** Our state, ledger, key and socket. */
  interlockHome: string;
  /** CLAUDE_CONFIG_DIR, where set. */
  configDir?: string;
  /** The installed package. */
  packageDir?: string;
  /** Git directories of the project that lie elsewhere (worktree, submodule). */
  gitDirs?: string[];
}

export interface Rule {
  kind: ProtectedKind;
  why: string;
  /** Globs: "**" first means anywhere, else below the base. Braces allowed. */
  globs: string[];
  /** Folder the globs start from; "/" for the ones that begin with "**" and for system places. */
  base: string;
  /** Reading is refused too. */
  read?: true;
}

export function rulesFor(places: Places): Rule[] {
  const { home, projectRoot, interlockHome, configDir, packageDir } = places;
  const rules: Rule[] = [
    {
      base: interlockHome,
      kind: "interlock",
      why: "it holds Interlock's ledger, state and key",
      globs: ["**"],
      read: true,
    },
    ...claude(home, configDir),
    ...otherAgents(home),
    { base: "/", kind: "configuration", why: "it configures Interlock's gates", globs: ["**/interlock.{yaml,yml}"] },
    { base: home, kind: "configuration", why: "it configures Interlock's gates", globs: [".config/interlock/**"] },
    ...git(home, projectRoot, places.gitDirs ?? []),
    ...startup(home),
    ...persistence(home),
  ];
  if (packageDir)
    rules.push({ base: packageDir, kind: "interlock", why: "it is Interlock's own program", globs: ["dist/**"] });
  return rules;
}

function claude(home: string, configDir: string | undefined): Rule[] {
  const settings = "it can switch Claude Code's hooks off or change its permissions";
  const hooks = "Claude Code runs what lies there as hooks";
  const mcp = "it starts programs as MCP servers of the agent";
  const transcript = "Interlock checks what a person typed against it";
  const inConfig = (base: string): Rule[] => [
    { base, kind: "agent-settings", why: settings, globs: ["settings*.json", "remote-settings.json"] },
    { base, kind: "agent-hooks", why: hooks, globs: ["hooks/**", "plugins/**"] },
    { base, kind: "transcript", why: transcript, globs: ["projects/**/*.jsonl"] },
  ];
  return [
    { base: "/", kind: "agent-settings", why: settings, globs: ["**/.claude/settings*.json"] },
    { base: "/", kind: "agent-hooks", why: hooks, globs: ["**/.claude/hooks/**"] },
    { base: "/", kind: "mcp", why: mcp, globs: ["**/.mcp.json"] },
    ...inConfig(`${home}/.claude`),
    { base: home, kind: "mcp", why: mcp, globs: [".claude.json"] },
    ...(configDir
      ? [...inConfig(configDir), { base: configDir, kind: "mcp" as const, why: mcp, globs: [".claude.json"] }]
      : []),
    {
      base: "/",
      kind: "agent-settings",
      why: "it holds the managed settings of Claude Code",
      globs: [
        "etc/claude-code/**",
        "Library/Application Support/ClaudeCode/**",
        "Library/Managed Preferences/com.anthropic.claudecode.plist",
        "**/{ProgramData,Program Files}/ClaudeCode/**",
      ],
    },
    {
      base: home,
      kind: "agent-settings",
      why: settings,
      globs: ["Library/Preferences/com.anthropic.claudecode.plist"],
    },
  ];
}

function otherAgents(home: string): Rule[] {
  const rule = (agent: string, base: string, globs: string[]): Rule => ({
    base,
    kind: "other-agent",
    why: `it configures the hooks of ${agent}`,
    globs,
  });
  return [
    rule("Gemini CLI", "/", [
      "**/.gemini/{settings.json,hooks/**,extensions/**,trustedFolders.json}",
      "etc/gemini-cli/**",
      "Library/Application Support/GeminiCli/**",
      "**/ProgramData/gemini-cli/**",
    ]),
    rule("Codex", "/", ["**/.codex/{config.toml,hooks.json,hooks/**,requirements.toml}", "etc/codex/**"]),
    rule("GitHub Copilot", "/", ["**/.github/hooks/**", "**/.github/copilot/settings*.json", "etc/github-copilot/**"]),
    rule("GitHub Copilot", home, [".copilot/**"]),
    rule("Cursor", "/", [
      "**/.cursor/{hooks.json,hooks/**,mcp.json}",
      "etc/cursor/**",
      "Library/Application Support/Cursor/hooks.json",
      "**/ProgramData/Cursor/hooks.json",
    ]),
    rule("opencode", "/", ["**/.opencode/{plugin,plugins}/**", "**/opencode.{json,jsonc}"]),
    rule("opencode", home, [".config/opencode/**"]),
  ];
}

function git(home: string, projectRoot: string, gitDirs: string[]): Rule[] {
  const hooks = "git runs what lies there on commits and checkouts";
  const config = "it can name programs git runs, and switch its hooks off";
  return [
    { base: "/", kind: "git", why: hooks, globs: ["**/.git/hooks/**", "**/.git/modules/**/hooks/**"] },
    {
      base: "/",
      kind: "git",
      why: config,
      globs: [
        "**/.git/{config,config.worktree,commondir,gitdir}",
        "**/.git/modules/**/config",
        "**/.git/worktrees/*/{config.worktree,commondir,gitdir}",
      ],
    },
    { base: home, kind: "git", why: config, globs: [".gitconfig", ".config/git/{config,hooks/**}"] },
    { base: "/", kind: "git", why: config, globs: ["etc/gitconfig"] },
    { base: projectRoot, kind: "git", why: "it says which repository this folder belongs to", globs: [".git"] },
    ...gitDirs.flatMap((base): Rule[] => [
      { base, kind: "git", why: hooks, globs: ["hooks/**"] },
      { base, kind: "git", why: config, globs: ["{config,config.worktree,commondir,gitdir}"] },
    ]),
  ];
}

function startup(home: string): Rule[] {
  const why = "every new shell runs it";
  return [
    {
      base: home,
      kind: "startup",
      why,
      globs: [
        ".{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile}",
        ".{zshrc,zshenv,zprofile,zlogin,zlogout}",
        ".{cshrc,tcshrc,login,kshrc,mkshrc,pam_environment,xprofile,xinitrc,xsessionrc}",
        ".config/zsh/.z*",
        ".config/fish/{config.fish,conf.d/**,functions/**}",
        ".config/{environment.d,powershell}/**",
        "Documents/{PowerShell,WindowsPowerShell}/*profile.ps1",
      ],
    },
    {
      base: "/",
      kind: "startup",
      why,
      globs: [
        "etc/{profile,bash.bashrc,bashrc,zshrc,zshenv,zprofile,csh.cshrc,environment}",
        "etc/{profile.d,zsh,fish}/**",
      ],
    },
  ];
}

function persistence(home: string): Rule[] {
  const service = "the system starts what is named there without anybody asking";
  return [
    {
      base: home,
      kind: "persistence",
      why: service,
      globs: [
        "Library/LaunchAgents/**",
        ".config/systemd/user/**",
        ".local/share/systemd/user/**",
        ".config/autostart/**",
        ".config/cron/**",
      ],
    },
    {
      base: "/",
      kind: "persistence",
      why: service,
      globs: [
        "Library/{LaunchAgents,LaunchDaemons}/**",
        "etc/systemd/**",
        "{etc,usr/lib,lib}/systemd/{system,user}/**",
        "etc/{crontab,anacrontab,rc.local,ld.so.preload}",
        "etc/cron.{d,hourly,daily,weekly,monthly}/**",
        "etc/init.d/**",
        "var/spool/cron/**",
        "var/at/tabs/**",
      ],
    },
    {
      base: home,
      kind: "persistence",
      why: "it opens this account to others or runs programs at log-in",
      globs: [".ssh/{authorized_keys,authorized_keys2,config,rc,environment}", ".ssh/config.d/**"],
    },
    {
      base: "/",
      kind: "persistence",
      why: "it opens this machine to others",
      globs: ["etc/ssh/**", "etc/sudoers", "etc/sudoers.d/**", "etc/pam.d/**"],
    },
  ];
}
