// The kits pack's options as gates get them: globs compiled, every place named.

/** Named sets of files that phase rules speak of. */
export const placeNames = [
  "tests",
  "fixtures",
  "testSettings",
  "testSnapshots",
  "breadcrumbs",
  "experiments",
  "specs",
  "results",
  "metrics",
  "analysis",
  "synthesis",
  "researchLog",
  "questions",
  "handoffs",
  "documents",
  "source",
  "lean",
  "leanScratch",
  "leanCache",
  "constructions",
  "domain",
  "auditLogs",
  "constructionLists",
] as const;
export type PlaceName = (typeof placeNames)[number];

export interface ReadBudgetOptions {
  /** `run`: only in a run or where variables ask for it; `always`: in every session. */
  when: "run" | "always";
  /** Bytes one read may show; 0: any number. */
  maxReadBytes: number;
  /** Files and bytes a run may read beyond its must-read list; 0: any number. Requests bring their own. */
  maxFiles: number;
  maxTotalBytes: number;
  /** Read freely, whatever their size. */
  allow: readonly string[];
}

export interface KitOptions {
  places: Readonly<Record<PlaceName, readonly string[]>>;
  /** Build and install output: written in every phase, never locked. */
  outputs: readonly string[];
  testCommand: string;
  leanCommand: string;
  runtime: string;
  maxRevisions: number;
  maxCycles: number;
  /** GPU hours of one research program; 0: any number. */
  maxGpuHours: number;
  /** The kit's own script, relative to the project; looked for under kits/ unless told. */
  scripts: Readonly<Partial<Record<"tdd" | "research" | "math", string>>>;
  ship: Readonly<{ push: boolean; pullRequest: boolean; archiveSpec: boolean }>;
  timeoutMinutes: number;
  readBudget: ReadBudgetOptions;
}

const everywhere = (...names: string[]): string[] => names.map((name) => `**/${name}`);

export const standardKitOptions: KitOptions = {
  places: {
    tests: [
      ...everywhere("tests/**", "test/**", "__tests__/**", "spec/**"),
      ...everywhere("test_*", "*_test.*", "*.test.*", "*.spec.*"),
    ],
    fixtures: everywhere("fixtures/**", "__fixtures__/**", "testdata/**"),
    testSnapshots: everywhere("__snapshots__/**", "*.snap"),
    testSettings: everywhere(
      ...["vitest.config.*", "vitest.workspace.*", "jest.config.*", "playwright.config.*", "karma.conf.*"],
      ...[".mocharc*", "pytest.ini", "tox.ini", "conftest.py", "phpunit.xml*", ".rspec"],
    ),
    breadcrumbs: everywhere("CLAUDE.md", "AGENTS.md", "LAST_TOUCH.md", "README.md"),
    experiments: ["experiments/**"],
    specs: ["specs/**"],
    results: ["results/**"],
    metrics: ["results/**/metrics.{json,csv}", "results/**/config.json"],
    analysis: everywhere("analysis.md"),
    synthesis: ["SYNTHESIS.md"],
    researchLog: ["RESEARCH_LOG.md"],
    questions: ["QUESTIONS.md"],
    handoffs: ["HANDOFF.md", "handoffs/**"],
    documents: everywhere("*.md", "*.bib"),
    source: everywhere("*.{py,cpp,cu,h,hpp,c,cc,rs,jl,ts,js,mjs,go,java,R,yaml,yml,toml}"),
    lean: everywhere("*.lean"),
    leanScratch: ["scratch/**"],
    leanCache: [".lake/**"],
    constructions: ["construction-*", "**/construction-*.md", "constructions/**"],
    domain: ["DOMAIN_CONTEXT.md"],
    auditLogs: ["CONSTRUCTION_LOG.md", "REVISION.md"],
    constructionLists: ["CONSTRUCTIONS.md"],
  },
  outputs: [
    ...everywhere("node_modules/**", "dist/**", "coverage/**", "target/**", "__pycache__/**", ".venv/**", "venv/**"),
    ...everywhere(".pytest_cache/**", ".mypy_cache/**", ".vitest/**", ".cache/**", ".turbo/**", "*.tsbuildinfo"),
    ...everywhere("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "uv.lock", "poetry.lock", "Cargo.lock"),
    ...everywhere(".coverage", "htmlcov/**", ".nyc_output/**", ".hypothesis/**", "*.pyc", ".DS_Store"),
    ...everywhere("test-results/**", "playwright-report/**", "test-output.log", "lake-manifest.json"),
    ".git/**",
  ],
  testCommand: "",
  leanCommand: "lake build",
  runtime: "",
  maxRevisions: 3,
  maxCycles: 10,
  maxGpuHours: 40,
  scripts: {},
  ship: { push: false, pullRequest: false, archiveSpec: false },
  timeoutMinutes: 60,
  readBudget: {
    when: "run",
    maxReadBytes: 200_000,
    maxFiles: 0,
    maxTotalBytes: 0,
    allow: ["runs/*/capsules/**", "runs/*/manifests/**", "interop/requests/**", "interop/responses/**"],
  },
};
