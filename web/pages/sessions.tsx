// Sessions: the timeline of one session, its calls, and everything about the selected one.
import { useEffect, useState } from "preact/hooks";
import type { CallPage, CallRow, SessionList, SessionSummary } from "../../src/dashboard/sessions-view.js";
import type { LaneMark, Timeline } from "../../src/dashboard/timeline-view.js";
import { fetchView } from "../api.js";
import type { PageProps } from "../pages.js";
import { Empty, Lead, Panel, SearchField, Shown } from "../parts/blocks.js";
import { CallPanel } from "../parts/call-panel.js";
import { useKeys } from "../parts/keys.js";
import { Legend, MarkIcon } from "../parts/marks.js";
import { OverridesPanel } from "../parts/overrides-panel.js";
import { TimelinePicture } from "../parts/timeline.js";
import { useView } from "../parts/use-view.js";
import { VirtualList } from "../parts/virtual-list.js";
import { clock, count, moment, plural } from "../parts/words.js";
import { addressOf, go } from "../router.js";

export function SessionsPage({ parts: [id, seq] }: PageProps) {
  const list = useView<SessionList>("sessions");
  return (
    <Shown view={list}>
      {({ sessions, total }) =>
        sessions.length ? (
          <OneSession
            key={id ?? sessions[0]!.id}
            id={id ?? sessions[0]!.id}
            seq={Number(seq ?? 0) || 0}
            sessions={sessions}
            total={total}
          />
        ) : (
          <Empty title="No session yet" command="interlock init">
            Install Interlock in this project, then start your agent there: its first call appears here by itself.
          </Empty>
        )
      }
    </Shown>
  );
}

const legend: LaneMark[] = ["pass", "deny", "ask", "overridden", "would", "ungoverned"];
const filters = [
  ["all", "all"],
  ["refused", "refused"],
  ["overridden", "overridden"],
  ["would", "would be refused"],
] as const;

interface OneSessionProps {
  id: string;
  seq: number;
  sessions: SessionSummary[];
  total: number;
}

function OneSession({ id, seq, sessions, total }: OneSessionProps) {
  const [range, setRange] = useState<{ from?: number; to?: number }>({});
  const view = useView<Timeline>("sessions/timeline", { session: id, ...range });
  const [only, setOnly] = useState("all");
  const [q, setQ] = useState("");
  const timeline = view.value;
  const select = (next: number) => go(["sessions", id, next], true);
  const params = { session: id, only, q: q || undefined };
  const place = usePlace(params, seq);
  const step = async (by: number, kind?: string) => {
    const base = kind ? { ...params, only: kind } : params;
    const at = seq ? (await fetchView<CallPage>("sessions/calls", { ...base, find: seq })).offset : by > 0 ? -1 : 0;
    const inList = kind && by > 0 && seq ? at : at + by;
    const offset = Math.max(0, inList);
    const page = await fetchView<CallPage>("sessions/calls", { ...base, offset, count: 2 });
    const next = page.rows.find((row) => row.seq !== seq || !kind) ?? page.rows[0];
    if (next) select(next.seq);
  };
  const zoom = (from: number, to: number) => to - from > 20 && setRange({ from, to });
  const scale = (factor: number, shift = 0) => {
    if (!timeline) return;
    const { start, end } = timeline.session;
    setRange(({ from = start, to = end + 1 }) => {
      const half = ((to - from) * factor) / 2;
      const middle = (from + to) / 2 + shift * (to - from);
      if (half * 2 >= end - start) return {};
      return half > 10 ? { from: Math.floor(middle - half), to: Math.ceil(middle + half) } : { from, to };
    });
  };
  useKeys({
    j: () => void step(1),
    k: () => void step(-1),
    n: () => void step(1, "refused"),
    p: () => void step(-1, "refused"),
    "+": () => scale(0.5),
    "=": () => scale(0.5),
    "-": () => scale(2),
    "0": () => setRange({}),
    h: () => scale(1, -0.5),
    l: () => scale(1, 0.5),
    Escape: () => go(["sessions", id], true),
  });
  return (
    <>
      <Shown view={view}>{(value) => <SessionLead timeline={value} />}</Shown>
      <div class="row bar">
        <label class="grow">
          <span class="soft">session</span>{" "}
          <select value={id} onChange={(event) => go(["sessions", event.currentTarget.value])}>
            {sessions.map((one) => (
              <option key={one.id} value={one.id}>
                {optionFor(one)}
              </option>
            ))}
            {!sessions.some((one) => one.id === id) && <option value={id}>{id}</option>}
          </select>
        </label>
        {total > sessions.length && (
          <small>
            the newest {sessions.length} of {count(total)}
          </small>
        )}
        <button type="button" onClick={() => scale(0.5)} aria-label="zoom in">
          +
        </button>
        <button type="button" onClick={() => scale(2)} aria-label="zoom out">
          −
        </button>
        <button type="button" onClick={() => setRange({})} disabled={range.from === undefined}>
          all
        </button>
      </div>
      {timeline && (
        <Panel title="Timeline" hint="drag to zoom">
          <TimelinePicture
            timeline={timeline}
            selected={seq}
            href={(next) => addressOf("sessions", id, next)}
            zoom={zoom}
          />
          {timeline.moreLanes > 0 && <small>and {plural(timeline.moreLanes, "more lane")}</small>}
          <Legend marks={legend} />
        </Panel>
      )}
      <OverridesPanel />
      <div class="columns side">
        <Panel title="Calls" hint="newest first">
          <div class="row bar">
            {filters.map(([name, words]) => (
              <button key={name} type="button" aria-pressed={only === name} onClick={() => setOnly(name)}>
                {words}
              </button>
            ))}
            <SearchField what="calls" value={q} change={setQ} />
          </div>
          <VirtualList<CallRow>
            view="sessions/calls"
            params={params}
            rowHeight={30}
            height={480}
            label="calls"
            show={place}
            empty={<Empty title={q || only !== "all" ? "No call matches" : "No call yet"} />}
            row={(row) => <CallLine key={row.seq} row={row} session={id} selected={row.seq === seq} />}
          />
        </Panel>
        <CallPanel seq={seq} session={id} />
      </div>
    </>
  );
}

const optionFor = ({ id, start, calls, refused, title }: SessionSummary): string =>
  `${moment(start)} · ${plural(calls, "call")}, ${count(refused)} refused · ${title.slice(0, 60) || id}`;

/** Where the selected record stands in the list. */
function usePlace(params: Record<string, string | undefined>, seq: number): number | undefined {
  const [place, setPlace] = useState<number>();
  useEffect(() => {
    if (!seq) return setPlace(undefined);
    let here = true;
    fetchView<CallPage>("sessions/calls", { ...params, find: seq }).then(
      ({ offset }) => here && setPlace(offset),
      () => {}, // the page itself says what is wrong
    );
    return () => {
      here = false;
    };
  }, [seq, JSON.stringify(params)]);
  return place;
}

function SessionLead({ timeline: { session, ungoverned, p99 } }: { timeline: Timeline }) {
  const { calls, refused, turns, overridden, agents } = session;
  const others = [
    turns ? `${plural(turns, "end of a turn", "ends of turns")} refused` : "",
    overridden ? `${count(overridden)} overridden` : "",
    ungoverned ? `${count(ungoverned)} without a record` : ungoverned === 0 ? "every call on record" : "",
    `${plural(agents, "agent")}`,
    `99 % judged within ${p99} ms`,
  ];
  return (
    <Lead figure={`${count(refused)} of ${plural(calls, "call")} refused`} tone={refused ? "bad" : "good"}>
      {others.filter(Boolean).join(" · ")}
    </Lead>
  );
}

const CallLine = ({ row, session, selected }: { row: CallRow; session: string; selected: boolean }) => (
  <li>
    <a class="call" href={addressOf("sessions", session, row.seq)} aria-current={selected ? "true" : undefined}>
      <MarkIcon mark={row.mark} />
      <span class="mono time">{clock(row.at)}</span>
      <b>{row.tool || row.event}</b>
      <span class="what">{row.what}</span>
      <span class="gate">{row.mark === "pass" ? (row.ok === false ? "failed" : "") : row.gate}</span>
    </a>
  </li>
);
