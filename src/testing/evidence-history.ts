// A constructed history for the SR&ED report: 400 commits in 6 projects over one fiscal year, made by git fast-import.
// Invariant: the same seed gives the same commits; nothing here counts anything, so that tests count for themselves.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { seeded } from "./sred-history.js";

interface Plan {
  id: string;
  scope: string;
  type: string;
  parts: readonly string[];
  unknowns: readonly string[];
  methods: readonly string[];
  lessons: readonly string[];
}

const plans: readonly Plan[] = [
  {
    id: "TIDE-FORECAST",
    scope: "tide",
    type: "applied-research",
    parts: ["assimilation", "harmonics", "ensemble"],
    unknowns: [
      "a particle filter can assimilate gauge data within one model step without collapsing",
      "shallow-water harmonics stay separable when the sampling interval drifts",
    ],
    methods: ["ran 40 hindcasts on the winter storms with resampling at each step", "replayed gauge 8415 with gaps"],
    lessons: ["resampling noise, not particle count, limits the filter", "separability breaks below 9 samples a cycle"],
  },
  {
    id: "CODEC-NEURAL",
    scope: "codec",
    type: "experimental-development",
    parts: ["encoder", "entropy", "bitstream"],
    unknowns: [
      "a learned prior can halve the side information at the same distortion",
      "integer-only inference keeps the decoder bit-exact across vendors",
    ],
    methods: [
      "trained three priors on the same crops and compared rate at fixed PSNR",
      "decoded 1,200 clips on four GPUs",
    ],
    lessons: ["the prior helps only above 0.3 bit per pixel", "saturation order differs between vendors"],
  },
  {
    id: "GRID-SOLVER",
    scope: "solver",
    type: "experimental-development",
    parts: ["multigrid", "precondition", "mesh"],
    unknowns: [
      "an algebraic smoother converges on meshes with aspect ratios above 1,000",
      "half-precision residuals do not stall the outer iteration",
    ],
    methods: ["swept the damping factor over five meshes", "logged residual norms in both precisions"],
    lessons: ["line smoothing restores convergence where point smoothing stalls", "residuals stall below 1e-4"],
  },
  {
    id: "MESH-SYNC",
    scope: "sync",
    type: "experimental-development",
    parts: ["clock", "gossip", "replica"],
    unknowns: [
      "causal order survives a partition of 20 minutes without vector clocks",
      "anti-entropy traffic can be bounded by the divergence alone",
    ],
    methods: ["partitioned 12 nodes for 20 minutes and compared histories", "measured bytes sent per diverged key"],
    lessons: [
      "hybrid clocks reorder when drift exceeds the uncertainty window",
      "bounded only for fewer than 64 peers",
    ],
  },
  {
    id: "ORBIT-PLANNER",
    scope: "orbit",
    type: "basic-research",
    parts: ["transfer", "manifold", "burn"],
    unknowns: [
      "invariant manifolds can be patched without a burn at the interface",
      "the map stays injective over the whole energy range",
    ],
    methods: ["integrated 9,000 initial states to the section", "compared return maps at three energies"],
    lessons: ["patching needs a burn of at least 1.8 m/s in every family tried", "injectivity is lost above C = 3.15"],
  },
  {
    id: "QUERY-BENCH",
    scope: "bench",
    type: "support-work",
    parts: ["harness", "datasets", "runner"],
    unknowns: [],
    methods: [],
    lessons: [],
  },
];

const people = [
  ["Amina Osei", "amina@example.org"],
  ["Bruno Keller", "bruno@example.org"],
  ["Chidi Park", "chidi@example.org"],
  ["Dana Whitehorse", "dana@example.org"],
] as const;

export interface EvidenceHistoryOptions {
  seed?: number;
  commits?: number;
}

const start = Date.parse("2025-04-01T12:00:00Z") / 1000;
const year = 365 * 86_400;

/** One commit to make; seconds since 1970. */
export interface PlannedCommit {
  message: string;
  at: number;
  /** Default: when it was authored. */
  committed?: number;
  author?: readonly [name: string, email: string];
  offset?: string;
  files?: Readonly<Record<string, string>>;
  /** The numbers of further parents, counted from 0. */
  merges?: readonly number[];
}

/** Makes a repository with these commits, one after the other on main. */
export function makeCommits(root: string, commits: readonly PlannedCommit[]): void {
  mkdirSync(root, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const stream = commits.map(({ message, at, committed = at, author = people[0]!, offset = "+0000", ...rest }, i) =>
    [
      `commit refs/heads/main\nmark :${i + 1}\nauthor ${author[0]} <${author[1]}> ${at} ${offset}\n`,
      `committer ${author[0]} <${author[1]}> ${committed} ${offset}\n${data(message)}`,
      i > 0 ? `from :${i}\n` : "",
      ...(rest.merges ?? []).map((parent) => `merge :${parent + 1}\n`),
      ...Object.entries(rest.files ?? {}).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
    ].join(""),
  );
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: stream.join("") });
}

/** Makes a repository with that history; its fiscal year is 2025-04-01 to 2026-03-31 in America/Toronto. */
export function makeSredHistory(root: string, { seed = 13, commits = 400 }: EvidenceHistoryOptions = {}): void {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const made = bursts(commits, random, pick).map(({ time, plan, part }, i) => {
    const message = messageOf(plan, part, i, random, pick);
    const text = Array.from({ length: 3 + Math.floor(random() * 12) }, (_, k) => `// ${i} ${k}`).join("\n");
    const files: Record<string, string> = { [`${plan.scope}/${part}.ts`]: text };
    if (random() < 0.25) files[`${plan.scope}/tests/${pick(plan.parts)}.test.ts`] = text;
    if (random() < 0.05) files[`docs/design/${plan.scope}.md`] = `${i}\n`;
    return {
      ...{ message, files, at: time, committed: time + Math.floor(random() * 600), author: pick(people) },
      offset: pick(["-0400", "-0500", "+0000", "+0900"]),
      ...(random() < 0.02 && i > 20 && { merges: [i - 10] }),
    };
  });
  makeCommits(root, made);
}

type Pick = <T>(list: readonly T[]) => T;

/** People work on one thing for some days, then on another. */
function bursts(commits: number, random: () => number, pick: Pick): { time: number; plan: Plan; part: string }[] {
  const made: { time: number; plan: Plan; part: string }[] = [];
  while (made.length < commits) {
    const plan = plans[Math.min(plans.length - 1, Math.floor(random() ** 1.4 * plans.length))]!;
    const part = pick(plan.parts);
    let time = start + Math.floor(random() * (year - 12 * 86_400));
    for (let left = 3 + Math.floor(random() * 9); left > 0 && made.length < commits; left--) {
      made.push({ time, plan, part });
      time += 1_800 + Math.floor(random() * 100_000);
    }
  }
  return made.sort((a, b) => a.time - b.time);
}

function messageOf(plan: Plan, part: string, i: number, random: () => number, pick: Pick): string {
  const kind = random();
  if (kind < 0.08) return `chore(${part}): bump tooling\n`;
  if (kind < 0.13) return `refactor(${part}): rename ${part} helpers\n\nSRED-Claim: none\n`;
  if (kind < 0.19) return `feat(${part}): small change to ${part}\n`;
  const issue = random() < 0.3 ? `Refs: EI-${100 + Math.floor(i / 9)}\n` : "";
  const trailers = `${issue}SRED-Type: ${plan.type}\nSRED-Claim: ${plan.id}\n`;
  if (!plan.unknowns.length || kind < 0.6)
    return `feat(${part}): work on ${part}, step ${i}\n\nMeasured before and after.\n\n${trailers}`;
  const [outcome, tail] = pick([
    ["SUCCESS", `${20 + (i % 60)} % fewer iterations over ${3 + (i % 5)} runs`],
    ["FAILED", `worse by ${5 + (i % 30)} % in ${2 + (i % 4)} of 5 runs`],
    ["FAILED", `no effect beyond noise (${1 + (i % 3)}.${i % 10} %)`],
    ["PARTIAL", `holds for ${1 + (i % 3)} of 4 cases`],
    ["measured", `${i % 17}.${i % 10} ms at the median`],
  ] as const);
  const block =
    `HYPOTHESIS: ${pick(plan.unknowns)}\n` +
    (random() < 0.9 ? `EXPERIMENT: ${pick(plan.methods)}\n` : "") +
    (random() < 0.85 ? `RESULT: ${outcome}, ${tail}\n` : "") +
    (random() < 0.5 ? `ADVANCEMENT: ${pick(plan.lessons)}\n` : "");
  // As a forge squashes: the trailers of the parts are left in the middle of the body.
  if (kind > 0.97)
    return `feat(${part}): squash of step ${i}\n\n* first part\n\n${block}\n${trailers}\n* second part, prose\n`;
  return `feat(${part}): try ${part}, step ${i}\n\n${block}\n${trailers}`;
}
