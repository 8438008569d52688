// The discipline pack's options as its gates get them. Types only, so that the hook loads no schema.

export const researchCategories = ["docs", "web", "github", "local"] as const;
export type ResearchCategory = (typeof researchCategories)[number];

/** What counts as research of one category. Names may contain `*`; commands are the first words of a command line. */
export interface ResearchProviders {
  kinds: string[];
  tools: string[];
  mcp: string[];
  commands: string[];
  urls: string[];
}

export interface StartupStep {
  id: string;
  /** A document of the project to be read. */
  read?: string;
  /** The first words of a command that must succeed. */
  run?: string;
  /** The step applies only where this file exists. */
  when?: string;
}

export interface SkillRule {
  name: string;
  /** Any of these phrases in a prompt asks for the skill. */
  words: string[];
  /** How many sub-agents it must start. */
  agents?: number;
}

/**
 * How one kind of artifact is published. Patterns are command lines; `{file}` is the artifact, `{to}` its
 * destination.
 */
export interface ReleaseRule {
  id: string;
  /** Names of artifacts, with `*`. */
  artifact: string;
  producers: string[];
  verifiers: string[];
  publishers: string[];
  /** Destinations must match one of these, with `*`. */
  to?: string[];
  /** A person must clear the current commit as well. */
  clearance?: boolean;
}

export interface ManifestRule {
  id: string;
  /** Which files, as a glob below the project. */
  file: string;
  /** Attributes that must exist and be neither empty nor a placeholder. */
  signed?: string[];
  /** Text that must not appear. */
  forbidden?: string[];
  /** The attribute that must equal the size of the local file named by the attribute `url`. */
  length?: string;
  /** Elements that must have the attribute `url`. */
  elements?: string[];
  /** A Homebrew cask: a real sha256, and that of the local file it names. */
  cask?: boolean;
  /** Commands that publish a folder with such a file; `{dir}` is the folder. */
  publishers?: string[];
}

export interface DisciplineOptions {
  research: {
    require: ResearchCategory[];
    /** Whether the size of the task decides how much of it is asked for. */
    depth: "scaled" | "full";
    docs: ResearchProviders;
    web: ResearchProviders;
    github: ResearchProviders;
    local: ResearchProviders;
    unreachableAfter: number;
    strict: boolean;
    exempt: string[];
    /** First words of commands that change something elsewhere and need research as MCP writes do. */
    external: string[];
  };
  breaker: { failures: number; signature: number; windowMinutes: number; research: number };
  startup: { steps: StartupStep[] };
  documents: string[];
  plan: {
    when: "asked" | "big-task" | "task";
    /** How an approved plan is carried out: in one go, phase by phase, or each change confirmed. */
    execution: "autonomous" | "phases" | "supervised";
  };
  loop: { bigTasks: boolean; maxIterations: number };
  skills: SkillRule[];
  /** Globs of build and install output; writing there is not an edit. */
  outputs: string[];
  blockedPaths: string[];
  sensitiveFiles: string[];
  fileSize: { warn: number; refuse: number; byExtension: Record<string, number> };
  verify: { accept: "checks" | "tests"; commands: string[]; exempt: string[] };
  release: { profiles: string[]; rules: ReleaseRule[]; manifests: ManifestRule[]; clearanceHours: number };
  briefing: boolean;
  /** Reminders after a failure, many edits, a commit and a long session. */
  reminders: boolean;
}
