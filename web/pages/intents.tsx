// Intents: the repository as a treemap by intent, the table of intents, and one file line by line.
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { useMemo } from "preact/hooks";
import type { IntentFile, IntentFileView, IntentRow, IntentsView } from "../../src/dashboard/intents-view.js";
import type { PageProps } from "../pages.js";
import { Empty, Lead, Panel, Shown } from "../parts/blocks.js";
import { useView } from "../parts/use-view.js";
import { count, plural } from "../parts/words.js";
import { addressOf } from "../router.js";

export function IntentsPage({ parts: [kind, path] }: PageProps) {
  if (kind === "file" && path) return <FilePage path={path} />;
  return <Overview chosen={kind === "intent" ? path : undefined} />;
}

function Overview({ chosen }: { chosen: string | undefined }) {
  const view = useView<IntentsView>("intents");
  return (
    <Shown view={view}>
      {(value) =>
        value.missing ? (
          <Empty title={value.missing.what} command={value.missing.command} />
        ) : (
          <>
            <IntentsLead view={value} />
            {value.problem && <p class="trouble">active_intents.yaml does not count: {value.problem}</p>}
            <Panel title="Files by intent" hint={`${plural(value.totals.files, "file")}, drawn by lines`}>
              <Treemap files={value.files} intents={value.intents} chosen={chosen} />
              <Legend intents={value.intents} />
              {value.truncated && <p class="soft">the repository has more files than are counted</p>}
            </Panel>
            <IntentTable rows={value.intents} chosen={chosen} />
          </>
        )
      }
    </Shown>
  );
}

function IntentsLead({ view: { totals, intents } }: { view: IntentsView }) {
  const outside = intents.reduce((sum, { outOfScope }) => sum + outOfScope, 0);
  if (outside)
    return (
      <Lead figure={`${plural(outside, "line")} out of scope`} tone="bad">
        written for an intent that does not own the file
      </Lead>
    );
  if (totals.untraced)
    return (
      <Lead figure={`${plural(totals.untraced, "line")} without an intent`} tone="warn">
        of {count(totals.ai)} by agents
      </Lead>
    );
  return (
    <Lead figure={`${plural(totals.traced, "line")} traced`} tone="good">
      every line by agents has its intent; {count(totals.lines)} lines in all
    </Lead>
  );
}

const palette = 8;
const toneOf = (intents: readonly IntentRow[], id: string | undefined): string => {
  const at = intents.findIndex((intent) => intent.id === id);
  return at < 0 ? "tone-none" : `tone-${at % palette}`;
};

/** The intent with most lines in a file. */
const mainIntent = ({ intents }: IntentFile): string | undefined =>
  Object.entries(intents).sort(([, a], [, b]) => b - a)[0]?.[0];

interface Branch {
  name: string;
  path: string;
  file?: IntentFile;
  children?: Branch[];
}

function branches(files: readonly IntentFile[]): Branch {
  const top: Branch = { name: "", path: "", children: [] };
  for (const file of files) {
    let at = top;
    const names = file.path.split("/");
    for (const name of names.slice(0, -1)) {
      const path = at.path ? `${at.path}/${name}` : name;
      let next = at.children!.find((child) => child.name === name && child.children);
      if (!next) {
        next = { name, path, children: [] };
        at.children!.push(next);
      }
      at = next;
    }
    at.children!.push({ name: names.at(-1)!, path: file.path, file });
  }
  return top;
}

const width = 1200;
const height = 460;

function Treemap({
  files,
  intents,
  chosen,
}: {
  files: readonly IntentFile[];
  intents: readonly IntentRow[];
  chosen: string | undefined;
}) {
  const laid = useMemo(() => {
    const root = hierarchy<Branch>(branches(files))
      .sum(({ file }) => (file ? Math.max(3, file.lines) : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    return treemap<Branch>()
      .tile(treemapSquarify)
      .size([width, height])
      .paddingTop((node) => (node.depth === 1 ? 18 : node.depth > 1 ? 3 : 0))
      .paddingInner(1)(root);
  }, [files]);
  return (
    <svg class="treemap" viewBox={`0 0 ${width} ${height}`} aria-label="files by intent">
      <defs>
        <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-line" width="3" height="7" />
        </pattern>
      </defs>
      {laid.descendants().map((node) => {
        const { data, x0, y0, x1, y1, depth } = node;
        const [w, h] = [x1 - x0, y1 - y0];
        if (!data.file) {
          if (depth !== 1 || w < 4) return null;
          return (
            <g key={`folder ${data.path}`}>
              <rect class="folder" x={x0} y={y0} width={w} height={h} />
              {w > 50 && (
                <text x={x0 + 4} y={y0 + 13}>
                  {cut(data.name, w)}
                </text>
              )}
            </g>
          );
        }
        const { file } = data;
        const main = mainIntent(file);
        const faded = chosen !== undefined && !(chosen in file.intents);
        const share = file.untraced / Math.max(1, file.lines);
        const shape = (
          <>
            <title>{told(file, main)}</title>
            <rect x={x0} y={y0} width={w} height={h} />
            {share > 0 && (
              <rect class="untraced" x={x0} y={y1 - h * share} width={w} height={h * share} fill="url(#hatch)" />
            )}
            {file.outside.length > 0 && (
              <rect class="outside" x={x0 + 1.5} y={y0 + 1.5} width={Math.max(0, w - 3)} height={Math.max(0, h - 3)} />
            )}
            {w > 60 && h > 16 && (
              <text x={x0 + 4} y={y0 + 13}>
                {cut(data.name, w)}
              </text>
            )}
          </>
        );
        const kind = `file ${toneOf(intents, main)}${faded ? " faded" : ""}`;
        return file.together ? (
          <g key={data.path} class={kind}>
            {shape}
          </g>
        ) : (
          <a key={data.path} class={kind} href={addressOf("intents", "file", file.path)} aria-label={told(file, main)}>
            {shape}
          </a>
        );
      })}
    </svg>
  );
}

const cut = (name: string, w: number): string => {
  const most = Math.floor((w - 8) / 7);
  return name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;
};

const told = (file: IntentFile, main: string | undefined): string =>
  [
    file.together ? `${file.path} (${plural(file.together, "small file")})` : file.path,
    plural(file.lines, "line"),
    main && `mostly ${main}`,
    file.untraced && `${plural(file.untraced, "line")} by agents without an intent`,
    file.outside.length && `outside the scope of ${file.outside.join(", ")}`,
  ]
    .filter(Boolean)
    .join(", ");

const Legend = ({ intents }: { intents: readonly IntentRow[] }) => (
  <ul class="legend">
    {intents
      .filter(({ lines }) => lines)
      .slice(0, 12)
      .map(({ id }) => (
        <li key={id}>
          <span class={`swatch ${toneOf(intents, id)}`} /> {id}
        </li>
      ))}
    <li>
      <span class="swatch tone-none" /> no agent
    </li>
    <li>
      <span class="swatch hatched" /> by an agent without an intent
    </li>
    <li>
      <span class="swatch outlined" /> outside an intent's scope
    </li>
  </ul>
);

function IntentTable({ rows, chosen }: { rows: readonly IntentRow[]; chosen: string | undefined }) {
  return (
    <Panel title="Intents" hint="choose one to see its files">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>intent</th>
              <th>status</th>
              <th>scope</th>
              <th class="number">criteria met</th>
              <th class="number">files</th>
              <th class="number">lines</th>
              <th class="number">out of scope</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} aria-current={row.id === chosen ? "true" : undefined}>
                <td>
                  <a href={row.id === chosen ? addressOf("intents") : addressOf("intents", "intent", row.id)}>
                    {row.id}
                  </a>{" "}
                  {row.name}
                </td>
                <td class={row.unknown ? "refused" : ""}>{row.status}</td>
                <td>{row.scope.join(", ")}</td>
                <td class="number">{row.criteria.of ? `${row.criteria.met} of ${row.criteria.of}` : "none set"}</td>
                <td class="number">{count(row.files)}</td>
                <td class="number">{count(row.lines)}</td>
                <td class={`number ${row.outOfScope ? "refused" : ""}`}>{count(row.outOfScope)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function FilePage({ path }: { path: string }) {
  const view = useView<IntentFileView>("intents/file", { path });
  return (
    <>
      <p>
        <a href={addressOf("intents")}>all files</a>
      </p>
      <Shown view={view}>
        {(file) => (
          <Panel title={file.path} hint={`${count(file.lines.length)} lines`}>
            <div class="scroll">
              <table class="lines">
                <tbody>
                  {file.lines.map((line, i) => {
                    const who = whose(line);
                    const same = i > 0 && whose(file.lines[i - 1]!) === who;
                    return (
                      <tr key={line.line} class={line.by}>
                        <td class="number">{line.line}</td>
                        <td class="who" title={line.why ?? line.model ?? ""}>
                          {same ? "" : who}
                        </td>
                        <td>
                          <code>{line.text || " "}</code>
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </div>
            {file.more > 0 && <p class="soft">and {count(file.more)} more lines</p>}
          </Panel>
        )}
      </Shown>
    </>
  );
}

const whose = ({ by, intent }: IntentFileView["lines"][number]): string =>
  by === "ai" ? (intent ?? "an agent, no intent") : by === "outside" ? "changed outside" : "not known";
