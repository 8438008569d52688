// Lines of form T661, Part 2, as data: what each asks, its word limit, and where that was read.
// Invariant: no other file names a line number or a limit. The form changes: check this table against the current one.

export const lineTable = {
  form: "T661, Part 2 (one per project)",
  sources: [
    "CRA form T661 and guide T4088, by public descriptions of the 2020 to 2022 versions",
    "word limits and evidence lines by the CRA's pre-claim workbook and advisers' pages",
  ],
  checked: "2026-11-16",
  caution:
    "Line numbers marked unconfirmed come from general knowledge of the form. Check all against the current T661.",
} as const;

interface FormLine {
  line: string;
  title: string;
  /** Seen in a stored public description of the form. */
  confirmed: boolean;
}

export const identificationLines: readonly FormLine[] = [
  { line: "200", title: "Project title and identification code", confirmed: false },
  { line: "202", title: "Project start date", confirmed: true },
  { line: "204", title: "Completion or expected completion date", confirmed: true },
  { line: "206", title: "Field of science or technology code", confirmed: true },
  { line: "208", title: "Continuation of a previously claimed project", confirmed: false },
  { line: "210", title: "First claim for the project", confirmed: false },
];

/** What a commit can say, by its H-E-R-A label. */
export type QuotedLabel = "hypothesis" | "experiment" | "result" | "analysis" | "advancement";

export interface NarrativeLine extends FormLine {
  line: "242" | "244" | "246";
  /** Words. */
  limit: number;
  /** Counters differ: stay below this. */
  aim: number;
  quotes: readonly QuotedLabel[];
  /** The same words in several commits are quoted once; a chronology quotes each in its place. */
  once: boolean;
  /** What no commit can say and a person has to write. */
  prompts: readonly string[];
}

export const narrativeLines: readonly NarrativeLine[] = [
  {
    line: "242",
    title: "Scientific or technological uncertainties",
    confirmed: true,
    limit: 350,
    aim: 315,
    quotes: ["hypothesis"],
    once: true,
    prompts: [
      "Business background in one or two sentences.",
      "The objective of the work.",
      "Why available knowledge or solutions did not meet the need.",
      "What could not be known at the start.",
    ],
  },
  {
    line: "244",
    title: "Work performed in the tax year",
    confirmed: true,
    limit: 700,
    aim: 630,
    quotes: ["hypothesis", "experiment", "result", "analysis"],
    once: false,
    prompts: ["Conclusions drawn from the experiments below, in this order, for this tax year only."],
  },
  {
    line: "246",
    title: "Advancements achieved or attempted",
    confirmed: true,
    limit: 350,
    aim: 315,
    quotes: ["advancement"],
    once: true,
    prompts: ["What is known now, compared with the knowledge at the start."],
  },
];

/** What in git or in the record can support a box; boxes with none are the claimant's own. */
export type BoxSupport = "planning" | "design" | "records" | "source" | "trials" | "tests";

export interface EvidenceBox extends FormLine {
  by?: BoxSupport;
  note: string;
}

export const evidenceBoxes: readonly EvidenceBox[] = [
  {
    line: "270",
    title: "Project planning documents",
    confirmed: false,
    by: "planning",
    note: "Tagged commits that change files in a folder for plans, designs or decisions.",
  },
  {
    line: "271",
    title: "Records of resources allocated to the project, time sheets",
    confirmed: false,
    note: "Commits are not time sheets. Tick only with your own records.",
  },
  {
    line: "272",
    title: "Design of experiments",
    confirmed: false,
    by: "design",
    note: "Commits that state a hypothesis and an experiment.",
  },
  {
    line: "273",
    title: "Project records, laboratory notebooks",
    confirmed: false,
    by: "records",
    note: "Tagged commits: dated, attributed, written as the work was done.",
  },
  {
    line: "274",
    title: "Design, system architecture and source code",
    confirmed: false,
    by: "source",
    note: "Tagged commits that change files.",
  },
  {
    line: "275",
    title: "Records of trial runs",
    confirmed: false,
    by: "trials",
    note: "Commits that state a result.",
  },
  {
    line: "276",
    title: "Progress reports, minutes of project meetings",
    confirmed: false,
    note: "Not in git. Tick only with your own records.",
  },
  {
    line: "277",
    title: "Test protocols, test data, analysis of test results, conclusions",
    confirmed: false,
    by: "tests",
    note: "Test runs in Interlock's record that preceded a commit, and tagged commits that change test files.",
  },
  {
    line: "278",
    title: "Photographs and videos",
    confirmed: false,
    note: "Not in git. Tick only with your own records.",
  },
  {
    line: "279",
    title: "Samples, prototypes, scrap or other artefacts",
    confirmed: false,
    note: "Not in git. Tick only with your own records.",
  },
  { line: "280", title: "Contracts", confirmed: false, note: "Not in git. Tick only with your own records." },
  {
    line: "281",
    title: "Others",
    confirmed: false,
    note: "Yours to name; line 282 is its description.",
  },
  {
    line: "282",
    title: "Description of others",
    confirmed: false,
    note: "Yours to write.",
  },
];
