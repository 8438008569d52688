// The marks of calls: shape and colour both carry the meaning, so that neither alone has to.
import type { LaneMark } from "../../src/dashboard/timeline-view.js";

export const markWords: Record<LaneMark, string> = {
  pass: "passed",
  deny: "refused",
  ask: "asked the user",
  overridden: "overridden by a person",
  would: "would be refused (observed)",
  note: "passed with a note",
  fault: "a gate failed",
  ungoverned: "ran without a record",
};

/** One mark around (x, y). */
export function Glyph({ mark, x, y, size = 7 }: { mark: LaneMark; x: number; y: number; size?: number }) {
  if (mark === "deny") return <path class="mark deny" d={diamond(x, y, size)} />;
  if (mark === "ask") return <path class="mark ask" d={diamond(x, y, size)} />;
  if (mark === "would") return <path class="mark would" d={diamond(x, y, size - 2)} />;
  if (mark === "overridden")
    return <path class="mark overridden" d={`M${x} ${y - size}L${x + size} ${y + size - 1}H${x - size}Z`} />;
  if (mark === "ungoverned") return <circle class="mark ungoverned" cx={x} cy={y} r={size - 2} />;
  if (mark === "fault")
    return <path class="mark fault" d={`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`} />;
  return <path class={`mark ${mark}`} d={`M${x} ${y - size}V${y + size}`} />;
}

const diamond = (x: number, y: number, s: number): string =>
  `M${x} ${y - s}L${x + s} ${y}L${x} ${y + s}L${x - s} ${y}Z`;

/** A mark in a line of text. */
export const MarkIcon = ({ mark }: { mark: LaneMark }) => (
  <svg class="icon" width="18" height="18" viewBox="0 0 18 18" role="img" aria-label={markWords[mark]}>
    <title>{markWords[mark]}</title>
    <Glyph mark={mark} x={9} y={9} />
  </svg>
);

export const Legend = ({ marks }: { marks: readonly LaneMark[] }) => (
  <ul class="legend" aria-label="marks">
    {marks.map((mark) => (
      <li key={mark}>
        <MarkIcon mark={mark} /> {markWords[mark]}
      </li>
    ))}
  </ul>
);
