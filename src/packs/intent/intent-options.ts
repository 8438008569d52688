// The intent pack's options as gates get them.

export interface IntentOptions {
  /** Who takes up a PENDING intent: the agent by selecting it, or a person. */
  approval: "agent" | "person";
  /** Who ticks acceptance criteria: a person, or the agent with evidence for each. */
  completion: "person" | "evidence";
  /** Tools nobody knows: let through and looked at afterwards, or refused. */
  unknownTools: "pass" | "deny";
  /** Build and install output that commands may write under any intent. */
  outputs: readonly string[];
  lessons: {
    enabled: boolean;
    /** Below the project. */
    file: string;
    /** How many recorded lessons the file keeps. */
    most: number;
  };
  trace: boolean;
}

const everywhere = (...names: string[]): string[] => names.map((name) => `**/${name}`);

export const standardIntentOptions: IntentOptions = {
  approval: "agent",
  completion: "person",
  unknownTools: "pass",
  outputs: [
    ...everywhere("node_modules/**", "dist/**", "build/**", "out/**", "coverage/**", "target/**", "__pycache__/**"),
    ...everywhere(".venv/**", "venv/**", ".pytest_cache/**", ".mypy_cache/**", ".ruff_cache/**", ".cache/**"),
    ...everywhere(".vitest/**", ".turbo/**", ".next/**", ".nyc_output/**", "htmlcov/**", ".gradle/**"),
    ...everywhere("*.tsbuildinfo", "*.pyc", ".coverage", "test-results/**", "playwright-report/**", ".DS_Store"),
    ".git/**",
  ],
  lessons: { enabled: true, file: ".orchestration/AGENT.md", most: 100 },
  trace: true,
};
