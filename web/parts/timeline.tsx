// The timeline of a session: a lane per agent, marks on it, bands of phases or turns behind.
// Invariant: marks closer than they are wide are drawn as one with a number, so none covers another.
import { useRef, useState } from "preact/hooks";
import type { Band, Lane, LaneMark, Timeline } from "../../src/dashboard/timeline-view.js";
import { Glyph, markWords } from "./marks.js";
import { useWidth } from "./use-width.js";
import { clock, day } from "./words.js";

const laneHeight = 56;
const top = 24;
const bottom = 22;
const bin = 15;
/** Which mark stands for several in one place. */
const weight: LaneMark[] = ["deny", "ask", "overridden", "ungoverned", "fault", "would", "note", "pass"];
const loud = new Set<LaneMark>(["deny", "ask", "overridden", "ungoverned", "fault", "would"]);

interface Spot {
  x: number;
  mark: LaneMark;
  count: number;
  seq: number;
  title: string;
}

export interface TimelineProps {
  timeline: Timeline;
  selected: number;
  href(seq: number): string;
  zoom(from: number, to: number): void;
}

export function TimelinePicture({ timeline, selected, href, zoom }: TimelineProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [drag, setDrag] = useState<[number, number]>();
  const svg = useRef<SVGSVGElement>(null);
  const { from, to, lanes, bands } = timeline;
  const height = top + lanes.length * laneHeight + bottom;
  const pad = 12;
  const inner = Math.max(50, width - 2 * pad);
  const xOf = (at: number) => pad + ((at - from) / (to - from)) * inner;
  const atOf = (x: number) => from + ((Math.min(width - pad, Math.max(pad, x)) - pad) / inner) * (to - from);
  const here = (event: PointerEvent) => event.clientX - (svg.current?.getBoundingClientRect().left ?? 0);
  const end = (event: PointerEvent) => {
    if (drag && Math.abs(drag[0] - here(event)) > 8) {
      const [a, b] = [atOf(drag[0]), atOf(here(event))].sort((p, q) => p - q);
      zoom(Math.floor(a!), Math.ceil(b!));
    }
    setDrag(undefined);
  };
  return (
    <div ref={box} class="timeline">
      {width > 0 && (
        <svg
          ref={svg}
          width={width}
          height={height}
          role="img"
          aria-label={`timeline, ${lanes.length} lanes; j and k go from call to call`}
          onPointerDown={(event) => setDrag([here(event), here(event)])}
          onPointerMove={(event) => drag && setDrag([drag[0], here(event)])}
          onPointerUp={end}
          onPointerLeave={() => setDrag(undefined)}
        >
          <title>Calls over time</title>
          {bands.map((band, i) => (
            <BandShape key={band.from} band={band} odd={i % 2 === 1} xOf={xOf} height={height} />
          ))}
          {lanes.map((lane, i) => (
            <LaneShape
              key={lane.agent}
              lane={lane}
              y={top + i * laneHeight}
              spots={spotsOf(lane, xOf, timeline, inner, pad)}
              width={width}
              selected={selected}
              href={href}
            />
          ))}
          <Axis from={from} to={to} xOf={xOf} y={height - bottom} width={width} />
          {drag && (
            <rect class="drag" x={Math.min(...drag)} y={0} width={Math.abs(drag[1] - drag[0])} height={height} />
          )}
        </svg>
      )}
    </div>
  );
}

function BandShape({ band, odd, xOf, height }: { band: Band; odd: boolean; xOf(at: number): number; height: number }) {
  const x = xOf(band.from);
  const width = Math.max(0, xOf(band.to) - x);
  const room = Math.floor((width - 10) / 6.7);
  return (
    <g class={`band ${odd ? "odd" : ""}`}>
      <rect x={x} y={0} width={width} height={height - bottom}>
        <title>{`${band.kind}: ${band.name}`}</title>
      </rect>
      {room > 5 && (
        <text x={x + 5} y={15}>
          {cut(`${band.kind}: ${band.name}`, room)}
        </text>
      )}
    </g>
  );
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function LaneShape(props: {
  lane: Lane;
  y: number;
  spots: Spot[];
  width: number;
  selected: number;
  href(seq: number): string;
}) {
  const { lane, y, spots, width, selected, href } = props;
  const name = lane.agent ? `sub-agent ${lane.agent}` : "main agent";
  const words = `${name} · ${lane.calls} calls${lane.refused ? `, ${lane.refused} refused` : ""}`;
  const most = Math.max(0, ...lane.sums.map((sum) => sum.calls));
  return (
    <g class="lane">
      <line x1={0} x2={width} y1={y + laneHeight - 1} y2={y + laneHeight - 1} />
      <text x={12} y={y + 13}>
        {cut(words, Math.floor((width - 24) / 6.6))}
      </text>
      {most > 0 && <Density lane={lane} y={y} most={most} width={width} />}
      {spots.map((spot) => (
        <a
          key={`${spot.x} ${spot.seq}`}
          class={spot.seq && spot.seq === selected ? "spot selected" : "spot"}
          href={spot.seq ? href(spot.seq) : undefined}
          tabIndex={-1}
          draggable={false}
        >
          <title>{spot.title}</title>
          <rect class="hit" x={spot.x - 6} y={y + 28} width={12} height={26} />
          <Glyph mark={spot.mark} x={spot.x} y={y + 41} />
          {spot.count > 1 && loud.has(spot.mark) && (
            <text class="count" x={spot.x} y={y + 28}>
              {spot.count > 99 ? "99+" : spot.count}
            </text>
          )}
        </a>
      ))}
    </g>
  );
}

/** Calls per column, where there are too many to draw. */
function Density({ lane, y, most, width }: { lane: Lane; y: number; most: number; width: number }) {
  const columns = 240;
  const step = (width - 24) / columns;
  return (
    <g class="density">
      {lane.sums.map(({ column, calls }) => {
        const high = Math.max(2, (calls / most) * 24);
        return <rect key={column} x={12 + column * step} y={y + 53 - high} width={Math.max(1, step)} height={high} />;
      })}
    </g>
  );
}

function spotsOf(lane: Lane, xOf: (at: number) => number, { columns }: Timeline, inner: number, pad: number): Spot[] {
  const all: Spot[] = lane.sums.length
    ? lane.sums.flatMap(({ column, refused, overridden, ungoverned, seq }) => {
        const x = pad + ((column + 0.5) / columns) * inner;
        const mark: LaneMark = refused ? "deny" : overridden ? "overridden" : "ungoverned";
        const count = refused || overridden || ungoverned;
        return count ? [{ x, mark, count, seq, title: `${count} ${markWords[mark]}` }] : [];
      })
    : lane.marks.map(({ at, mark, seq, tool, what }) => ({
        x: xOf(at),
        mark,
        count: 1,
        seq,
        title: `${markWords[mark]}: ${tool} ${what}`,
      }));
  const bins = new Map<number, Spot>();
  const quiet: Spot[] = [];
  for (const spot of all) {
    if (!loud.has(spot.mark)) {
      quiet.push(spot);
      continue;
    }
    const place = Math.floor(spot.x / bin);
    const before = bins.get(place);
    if (!before) bins.set(place, { ...spot, x: (place + 0.5) * bin });
    else {
      const wins = weight.indexOf(spot.mark) < weight.indexOf(before.mark);
      if (wins) Object.assign(before, { mark: spot.mark, seq: spot.seq, count: spot.count, title: spot.title });
      else if (spot.mark === before.mark) before.count += spot.count;
    }
  }
  return [...quiet, ...bins.values()];
}

function Axis({
  from,
  to,
  xOf,
  y,
  width,
}: {
  from: number;
  to: number;
  xOf(at: number): number;
  y: number;
  width: number;
}) {
  const steps = width > 900 ? 6 : width > 600 ? 4 : 2;
  const long = to - from > 36 * 3600_000;
  const words = Array.from({ length: steps + 1 }, (_, i) => {
    const at = from + ((to - from) * i) / steps;
    return long ? day(at) : clock(at);
  });
  return (
    <g class="axis">
      {words.map((text, i) => {
        if (i && text === words[i - 1]) return null; // the same second twice says nothing
        const anchor = i === 0 ? "start" : i === steps ? "end" : "middle";
        return (
          <text key={i} x={xOf(from + ((to - from) * i) / steps)} y={y + 15} text-anchor={anchor}>
            {text}
          </text>
        );
      })}
    </g>
  );
}
