// The discipline pack's options as its gates get them. Types only, so that the hook's path loads no schema.

export const researchCategories = ["docs", "web", "github", "local"] as const;
export type ResearchCategory = (typeof researchCategories)[number];

/** What counts as research of one category; names may hold `*`, commands are the first words of a command line. */
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

/** One artifact's way to publication. Patterns are the words of a command line; `{file}` stands for the artifact, `{to}` for where it goes. */
export interface ReleaseRule {
  id: string;
  /** Names of artifacts, with `*`. */
  artifact: string;
  producers: string[];
  verifiers: string[];
  publishers: string[];
  /** Destinations must match one of these, with `*`. */
  to?: string[];
  /** A person's clearance for the commit at hand is needed too. */
  clearance?: boolean;
}

export interface ManifestRule {
  id: string;
  /** Which files, as a glob below the project. */
  file: string;
  /** Attributes that must be there and must not be empty or a placeholder. */
  signed?: string[];
  /** Text that must not appear. */
  forbidden?: string[];
  /** The attribute that must equal the size of the local file named by the attribute `url`. */
  length?: string;
  /** Commands that publish a folder which holds such a file; `{dir}` stands for the folder. */
  publishers?: string[];
}

export interface DisciplineOptions {
  research: {
    require: ResearchCategory[];
    docs: ResearchProviders;
    web: ResearchProviders;
    github: ResearchProviders;
    local: ResearchProviders;
    unreachableAfter: number;
    strict: boolean;
    exempt: string[];
  };
  breaker: { failures: number; signature: number; windowMinutes: number; research: number };
  startup: { steps: StartupStep[] };
  documents: string[];
  plan: { when: "asked" | "big-task" | "task" };
  loop: { bigTasks: boolean; maxIterations: number };
  skills: SkillRule[];
  /** Globs of what builds and installations make; writing there is no edit. */
  outputs: string[];
  blockedPaths: string[];
  sensitiveFiles: string[];
  fileSize: { warn: number; refuse: number; byExtension: Record<string, number> };
  verify: { accept: "checks" | "tests"; commands: string[]; exempt: string[] };
  release: { profiles: string[]; rules: ReleaseRule[]; manifests: ManifestRule[]; clearanceHours: number };
  briefing: boolean;
}
