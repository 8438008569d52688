// Who owns which phase: the framework's agents, their other names, and what a project's skills manifest adds.
// Invariant: pure tables; a manifest may add agents, but cannot move a known agent to another phase (old manifests
// carry old numbers).
import { isObject } from "../model/json.js";
import { canonicalPhase } from "./phase-names.js";

/** `all`: works in every phase; `setup`: works outside phases; otherwise the phases it owns, its main one first. */
export type Ownership = "all" | "setup" | readonly string[];
export type Roles = ReadonlyMap<string, Ownership>;

const setupAgents = [
  "discover-orchestrator",
  "architecture-analyzer",
  "test-evaluator",
  "constitution-generator",
  "skills-researcher",
  "data-model-analyzer",
  "feature-mapper",
  "product-analyst",
  "architecture-designer",
  "characterization-test-generator",
  "artifact-integration",
  "atdd-bridge",
] as const;

const owners: Readonly<Record<string, readonly string[]>> = {
  "quick-scan-agent": ["00-quick-scan"],
  "requirements-analyst": ["01-requirements"],
  "impact-analysis-orchestrator": ["02-impact-analysis"],
  "impact-analyzer": ["02-impact-analysis"],
  "entry-point-finder": ["02-impact-analysis"],
  "risk-assessor": ["02-impact-analysis"],
  "tracing-orchestrator": ["02-tracing"],
  "symptom-analyzer": ["02-tracing"],
  "execution-path-tracer": ["02-tracing"],
  "root-cause-identifier": ["02-tracing"],
  "solution-architect": ["03-architecture"],
  "system-designer": ["04-design"],
  "test-design-engineer": ["05-test-strategy"],
  "software-developer": ["06-implementation"],
  "integration-tester": ["07-testing"],
  "qa-engineer": ["08-code-review"],
  "security-compliance-auditor": ["09-validation"],
  "cicd-engineer": ["10-cicd"],
  "environment-builder": ["11-local-testing", "12-remote-build"],
  "deployment-engineer-staging": ["12-test-deploy"],
  "release-manager": ["13-production"],
  "site-reliability-engineer": ["14-operations"],
  "upgrade-engineer": ["15-upgrade", "16-upgrade-plan", "16-upgrade-execute"],
  "quality-loop-engineer": ["16-quality-loop"],
};

export const shippedRoles: Roles = new Map<string, Ownership>([
  ["sdlc-orchestrator", "all"],
  ...setupAgents.map((name) => [name, "setup"] as const),
  ...Object.entries(owners),
]);

const otherNames: Readonly<Record<string, string>> = {
  orchestrator: "sdlc-orchestrator",
  requirements: "requirements-analyst",
  architect: "solution-architect",
  designer: "system-designer",
  "test-design": "test-design-engineer",
  developer: "software-developer",
  tester: "integration-tester",
  qa: "qa-engineer",
  security: "security-compliance-auditor",
  cicd: "cicd-engineer",
  "dev-env": "environment-builder",
  "dev-environment-engineer": "environment-builder",
  staging: "deployment-engineer-staging",
  release: "release-manager",
  sre: "site-reliability-engineer",
  discovery: "discover-orchestrator",
  "arch-analyzer": "architecture-analyzer",
  "arch-designer": "architecture-designer",
  d0: "discover-orchestrator",
  d1: "architecture-analyzer",
  d2: "test-evaluator",
  d3: "constitution-generator",
  d4: "skills-researcher",
  d5: "data-model-analyzer",
  d6: "feature-mapper",
  d7: "product-analyst",
  d8: "architecture-designer",
};

/** One name per agent: case, underscores, a plugin's prefix, numbers and short roles removed. */
export function agentNamed(given: string | undefined, roles: Roles = shippedRoles): string {
  const spelled = (given ?? "").trim().toLowerCase().replaceAll("_", "-");
  const name = spelled.slice(spelled.lastIndexOf(":") + 1);
  if (roles.has(name)) return name;
  const bare = name.replace(/^(?:\d\d|d\d)-/, "");
  if (roles.has(bare)) return bare;
  for (const form of [name, bare]) if (Object.hasOwn(otherNames, form)) return otherNames[form]!;
  return name;
}

/** Where a project keeps its manifest; the first match wins. */
export const manifestPlaces = [
  ".claude/hooks/config/skills-manifest.json",
  ".isdlc/config/skills-manifest.json",
] as const;

/** The roles in a manifest's text, below the shipped ones. Throws if the text is not a manifest. */
export function rolesOfManifest(text: string, own?: ReadonlySet<string>): Roles {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new Error(`skills-manifest.json is not JSON (${(error as Error).message})`);
  }
  if (!isObject(manifest) || !isObject(manifest["ownership"]))
    throw new Error('the skills manifest has no "ownership" table');
  const roles = new Map(shippedRoles);
  for (const [agent, entry] of Object.entries(manifest["ownership"])) {
    const name = agent.toLowerCase();
    const phase = isObject(entry) ? entry["phase"] : undefined;
    if (typeof phase !== "string" || shippedRoles.has(name)) continue;
    roles.set(name, phase === "all" || phase === "setup" ? phase : [canonicalPhase(phase, own) ?? phase]);
  }
  return roles;
}

/** The shipped table as a manifest file, for projects that have none. */
export function manifestText(): string {
  const ownership = Object.fromEntries(
    [...shippedRoles].map(([agent, phases]) => [agent, { phase: typeof phases === "string" ? phases : phases[0] }]),
  );
  const manifest = { version: "4.0.0", generated: "interlock", enforcement_mode: "observe", ownership };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
