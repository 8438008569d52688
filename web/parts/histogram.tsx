// A histogram drawn with uPlot: bars, and lines for the median and the 99th percentile.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Gates } from "../../src/dashboard/gates-view.js";
import { useWidth } from "./use-width.js";

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function Histogram({ latency }: { latency: Gates["latency"] }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const drawn = useRef<uPlot>(undefined);
  useEffect(() => {
    if (!box.current || width < 50) return;
    const draw = () => {
      drawn.current?.destroy();
      drawn.current = new uPlot(
        optionsFor(latency, width),
        [latency.edges.map((_, i) => i), latency.counts],
        box.current!,
      );
    };
    draw();
    addEventListener("interlock-theme", draw);
    return () => {
      removeEventListener("interlock-theme", draw);
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, [width, JSON.stringify(latency)]);
  return <div ref={box} class="histogram" />;
}

function optionsFor({ edges, median, p99 }: Gates["latency"], width: number): uPlot.Options {
  const [soft, line, bars, bad] = [colour("--soft"), colour("--line"), colour("--pass"), colour("--refused")];
  const font = "12px system-ui, sans-serif";
  const at = (ms: number) =>
    Math.max(
      0,
      edges.findIndex((edge) => ms <= edge),
    );
  return {
    width,
    height: 200,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.8, edges.length - 0.2] } },
    axes: [
      {
        stroke: soft,
        font,
        grid: { show: false },
        ticks: { stroke: line },
        splits: () => edges.map((_, i) => i).filter((i) => i % (width < 500 ? 6 : 2) === 0),
        values: (_, splits) => splits.map((i) => `${edges[i]} ms`),
      },
      { stroke: soft, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, size: 56 },
    ],
    series: [{}, { fill: bars, stroke: bars, paths: uPlot.paths.bars!({ size: [0.8, 60] }), points: { show: false } }],
    hooks: {
      draw: [
        (plot) => {
          const { ctx, bbox } = plot;
          for (const [ms, dash, row] of [
            [median, [6, 4], 0],
            [p99, [], 1],
          ] as const) {
            const x = plot.valToPos(at(ms), "x", true);
            ctx.save();
            ctx.strokeStyle = row ? bad : soft;
            ctx.lineWidth = 2 * devicePixelRatio;
            ctx.setLineDash([...dash]);
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
            ctx.restore();
          }
        },
      ],
    },
  };
}
