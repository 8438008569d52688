// Record: is the chain whole, what outside vouches for it, check it now, search it, export it.
import { useState } from "preact/hooks";
import type { RecordHealth, RecordRow, VerifyAnswer } from "../../src/dashboard/record-view.js";
import { doAction, fetchView, viewAddress } from "../api.js";
import type { PageProps } from "../pages.js";
import { Command, Empty, Lead, Panel, SearchField, Shown } from "../parts/blocks.js";
import { CallPanel } from "../parts/call-panel.js";
import { useKeys } from "../parts/keys.js";
import { MarkIcon } from "../parts/marks.js";
import { useView } from "../parts/use-view.js";
import { VirtualList } from "../parts/virtual-list.js";
import { ago, clock, count, day, plural } from "../parts/words.js";
import { addressOf, go } from "../router.js";

export function RecordPage({ parts: [seq] }: PageProps) {
  const view = useView<RecordHealth>("record");
  return (
    <Shown view={view}>
      {(health) =>
        health.records ? (
          <>
            <HealthLead health={health} />
            <div class="columns two">
              <Verify />
              <Anchors health={health} />
            </div>
            <Search seq={Number(seq ?? 0) || 0} />
          </>
        ) : (
          <Empty title="Nothing is recorded yet" command="interlock init">
            Install Interlock in this project, then start your agent there.
          </Empty>
        )
      }
    </Shown>
  );
}

const words = {
  whole: ["The record is whole", "good"],
  damaged: ["The record is damaged", "bad"],
  locked: ["The record is locked", "bad"],
  degraded: ["The record is degraded", "warn"],
  empty: ["Nothing is recorded", "plain"],
} as const;

function HealthLead({ health }: { health: RecordHealth }) {
  const [figure, tone] = words[health.condition.word];
  const size = `${plural(health.segments, "segment")}, ${(health.bytes / 1024 / 1024).toFixed(1)} MB`;
  return (
    <>
      <Lead figure={figure} tone={tone}>
        {plural(health.records, "record")} in {size} · since {day(health.first!)} · newest {ago(health.newest!)}
      </Lead>
      {health.condition.findings.map(({ what, remedy }) => (
        <p key={what} class="trouble">
          {what} {remedy}
        </p>
      ))}
    </>
  );
}

function Verify() {
  const [answer, setAnswer] = useState<VerifyAnswer | "running">();
  const [error, setError] = useState("");
  const run = () => {
    setAnswer("running");
    setError("");
    doAction<VerifyAnswer>("verify", {}).then(setAnswer, (fault: Error) => {
      setAnswer(undefined);
      setError(fault.message);
    });
  };
  return (
    <Panel title="Check everything" hint="every line, every hash, in order">
      <button type="button" class="main" onClick={run} disabled={answer === "running"}>
        {answer === "running" ? "checking" : "verify now"}
      </button>
      {error && <p class="refused">{error}</p>}
      {typeof answer === "object" && (
        <div role="status" data-verified={answer.verdict}>
          <p>
            <b class={answer.verdict === "intact" ? "good" : "refused"}>
              {answer.verdict === "intact" ? "✓" : "✗"} {answer.verdict}
            </b>{" "}
            <small>in {answer.ms} ms</small>
          </p>
          <pre>{answer.lines.join("\n")}</pre>
        </div>
      )}
      <p class="soft">
        The same in a terminal: <Command text="interlock verify" />
      </p>
    </Panel>
  );
}

/** The length of the record, coloured by what commits vouch for. */
function Anchors({ health }: { health: RecordHealth }) {
  const { anchors, newestSeq } = health;
  const last = anchors?.[0]?.seq ?? 0;
  const share = newestSeq ? Math.min(1, last / newestSeq) : 0;
  return (
    <Panel title="Anchors" hint="commits that confirm the record">
      {!anchors ? (
        <p class="soft">A ledger alone: the commits of its project are not here.</p>
      ) : anchors.length ? (
        <>
          <div class="strip" role="img" aria-label={`anchored up to record ${last} of ${newestSeq}`}>
            <span style={{ width: `${share * 100}%` }} />
          </div>
          <p>
            Anchored up to record {count(last)}; {count(newestSeq - last)} later.
          </p>
          <ul class="bare">
            {anchors.slice(0, 6).map(({ seq, where }) => (
              <li key={`${seq} ${where}`}>
                <a href={addressOf("record", seq)}>{count(seq)}</a> {where}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          No commit vouches for this record yet. <Command text="interlock checkpoint" />
        </p>
      )}
    </Panel>
  );
}

interface Found {
  total: number;
  rows: RecordRow[];
  offset?: number;
}

function Search({ seq }: { seq: number }) {
  const [q, setQ] = useState("");
  const [total, setTotal] = useState<number>();
  const params = { q: q || undefined };
  const step = async (by: number) => {
    const at = seq ? ((await fetchView<Found>("record/search", { ...params, find: seq })).offset ?? 0) : -1;
    const page = await fetchView<Found>("record/search", { ...params, offset: Math.max(0, at + by), count: 1 });
    if (page.rows[0]) go(["record", page.rows[0].seq], true);
  };
  useKeys({ j: () => void step(1), k: () => void step(-1) });
  return (
    <div class="columns side">
      <Panel title="Records" hint={total === undefined ? "" : `${count(total)}, newest first`}>
        <div class="row bar">
          <SearchField
            what="the record"
            hint="search: tool, path, gate, session, v-12  /"
            wide
            value={q}
            change={setQ}
          />
          <a class="button" href={viewAddress("record/export", { format: "jsonl", ...params })} download>
            export JSON lines
          </a>
          <a class="button" href={viewAddress("record/export", { format: "csv", ...params })} download>
            export CSV
          </a>
        </div>
        <VirtualList<RecordRow>
          view="record/search"
          params={params}
          rowHeight={30}
          height={420}
          label="records"
          show={undefined}
          onTotal={setTotal}
          empty={<Empty title="No record matches" />}
          row={(row) => (
            <li key={row.seq}>
              <a class="call" href={addressOf("record", row.seq)} aria-current={row.seq === seq ? "true" : undefined}>
                <MarkIcon mark={row.mark} />
                <span class="mono">{row.seq}</span>
                <span class="mono time">{clock(row.at)}</span>
                <b>{row.tool || row.event || row.type}</b>
                <span class="what">{row.what}</span>
                <span class="gate">{row.gate}</span>
              </a>
            </li>
          )}
        />
      </Panel>
      <CallPanel seq={seq} session="" />
    </div>
  );
}
