// Evidence: the calendar of SR&ED commits, projects with what is missing, test runs, claims without any.
import type { EvidenceView } from "../../src/dashboard/evidence-view.js";
import type { PageProps } from "../pages.js";
import { Command, Lead, Panel, Shown } from "../parts/blocks.js";
import { useView } from "../parts/use-view.js";
import { count, moment, plural } from "../parts/words.js";
import { addressOf } from "../router.js";

export function EvidencePage({ parts: [from, to] }: PageProps) {
  const view = useView<EvidenceView>("evidence", { from, to });
  return (
    <Shown view={view}>
      {(value) => (
        <>
          <EvidenceLead view={value} />
          <Panel title="SR&ED commits by day" hint={`${value.period.from} to ${value.period.to}`}>
            {value.totals.tagged ? (
              <Calendar days={value.days} period={value.period} />
            ) : (
              <p class="soft">
                {value.missing ?? "No commit of this period names an SR&ED project."}{" "}
                <Command text="interlock enable sred" />
              </p>
            )}
          </Panel>
          {value.projects.length > 0 && <Projects view={value} />}
          <div class="columns two">
            <TestRuns tests={value.tests} />
            <Claims claims={value.claims} />
          </div>
        </>
      )}
    </Shown>
  );
}

function EvidenceLead({ view: { claims, totals } }: { view: EvidenceView }) {
  if (claims.length)
    return (
      <Lead figure={`${plural(claims.length, "claim")} without evidence`} tone="bad">
        the newest below
      </Lead>
    );
  if (totals.gaps)
    return (
      <Lead figure={plural(totals.gaps, "gap")} tone="warn">
        in the evidence of {plural(totals.tagged, "SR&ED commit")}
      </Lead>
    );
  return (
    <Lead figure={`${plural(totals.testRuns, "test run")} on record`} tone="good">
      with SR&ED commits; no claim lacked evidence
    </Lead>
  );
}

const dayMs = 86_400_000;
const cell = 15;

/** A square a day, a column a week, Monday on top. */
function Calendar({ days, period }: { days: EvidenceView["days"]; period: EvidenceView["period"] }) {
  const counts = new Map(days.map(({ day, commits }) => [day, commits]));
  const most = Math.max(1, ...counts.values());
  const first = Date.parse(period.from);
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * dayMs;
  const total = Math.min(1100, Math.round((Date.parse(period.to) - start) / dayMs) + 1);
  const weeks = Math.ceil(total / 7);
  const months: { x: number; name: string }[] = [];
  const squares = [];
  for (let i = 0; i < total; i++) {
    const at = new Date(start + i * dayMs);
    const day = at.toISOString().slice(0, 10);
    const x = 30 + Math.floor(i / 7) * cell;
    if (at.getUTCDate() === 1)
      months.push({ x, name: at.toLocaleDateString("en-GB", { month: "short", timeZone: "UTC" }) });
    if (day < period.from) continue;
    const commits = counts.get(day) ?? 0;
    const level = commits ? Math.max(1, Math.ceil((commits / most) * 4)) : 0;
    squares.push(
      <rect key={day} class={`level-${level}`} x={x} y={18 + (i % 7) * cell} width={cell - 3} height={cell - 3} rx="2">
        <title>{`${day}: ${plural(commits, "commit")}`}</title>
      </rect>,
    );
  }
  return (
    <div class="scroll">
      <svg
        class="calendar"
        width={40 + weeks * cell}
        height={22 + 7 * cell}
        role="img"
        aria-label={`${plural(days.length, "day")} with SR&ED commits`}
      >
        {["Mon", "Wed", "Fri"].map((name, i) => (
          <text key={name} x="0" y={29 + i * 2 * cell}>
            {name}
          </text>
        ))}
        {months.map(({ x, name }) => (
          <text key={x} x={x} y="11">
            {name}
          </text>
        ))}
        {squares}
      </svg>
    </div>
  );
}

const Projects = ({ view: { projects, gaps } }: { view: EvidenceView }) => (
  <Panel title="Projects">
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>project</th>
            <th>evidence from</th>
            <th>to</th>
            <th class="number">commits</th>
            <th class="number">experiments</th>
            <th class="number">failed ones</th>
            <th class="number">test runs</th>
            <th>what is missing</th>
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <tr key={project.id}>
              <td>
                <b>{project.id}</b>
              </td>
              <td>{project.first}</td>
              <td>{project.last}</td>
              <td class="number">{count(project.commits)}</td>
              <td class="number">{count(project.experiments)}</td>
              <td class="number">{count(project.failed)}</td>
              <td class="number">{count(project.testRuns)}</td>
              <td>
                <Gaps gaps={project.gaps} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <Gaps gaps={gaps} />
  </Panel>
);

const Gaps = ({ gaps }: { gaps: EvidenceView["gaps"] }) =>
  gaps.length ? (
    <details>
      <summary>{plural(gaps.length, "gap")}</summary>
      <ul class="plain">
        {gaps.map((gap, i) => (
          <li key={i}>
            {gap.what} <span class="soft">{gap.next}</span>
          </li>
        ))}
      </ul>
    </details>
  ) : null;

const verdictMarks: Record<string, [string, string]> = {
  passed: ["✓", "good"],
  failed: ["✕", "refused"],
  "proves nothing": ["○", "soft"],
};

const TestRuns = ({ tests }: { tests: EvidenceView["tests"] }) => (
  <Panel title="Test evidence" hint="recorded before the commit, in the same session">
    {tests.length ? (
      <ul class="plain">
        {tests.map(({ commit, subject, day, runs }) => (
          <li key={commit}>
            <code>{commit}</code> {subject} <span class="soft">{day}</span>
            <ul class="plain">
              {runs.map((run) => {
                const [mark, tone] = verdictMarks[run.verdict] ?? ["•", "soft"];
                return (
                  <li key={run.record}>
                    <span class={tone}>
                      {mark} {run.verdict}
                    </span>{" "}
                    <code>{run.command}</code> <a href={addressOf("record", run.record)}>record {run.record}</a>
                    {run.why && <span class="soft"> {run.why}</span>}
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
    ) : (
      <p class="soft">No test run of an agent is recorded with an SR&ED commit of this period.</p>
    )}
  </Panel>
);

const Claims = ({ claims }: { claims: EvidenceView["claims"] }) => (
  <Panel title="Claims without evidence" hint="newest first">
    {claims.length ? (
      <ul class="plain">
        {claims.map((claim) => (
          <li key={claim.seq}>
            <a href={addressOf("sessions", claim.session || "-", claim.seq)}>{moment(claim.at)}</a>{" "}
            <span class={claim.mark === "deny" ? "refused" : "soft"}>
              {claim.mark === "deny" ? "◆ refused" : claim.mark === "overridden" ? "▲ allowed" : "◇ seen"} by{" "}
              {claim.gate}
            </span>
            <br />
            {claim.what}
          </li>
        ))}
      </ul>
    ) : (
      <p class="good">None in this record.</p>
    )}
  </Panel>
);
