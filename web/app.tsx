// The frame around every page: name of the record, navigation, live state, theme, help.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Frame } from "../src/dashboard/frame-view.js";
import { useLiveState } from "./live.js";
import { pages } from "./pages.js";
import { Empty } from "./parts/blocks.js";
import { useKeys } from "./parts/keys.js";
import { useView } from "./parts/use-view.js";
import { plural } from "./parts/words.js";
import { addressOf, go, useRoute } from "./router.js";
import { applyTheme, chosenTheme, isDark } from "./theme.js";

export function App() {
  const [id = pages[0]!.id, ...parts] = useRoute();
  const page = pages.find((one) => one.id === id);
  const frame = useView<Frame>("frame").value;
  const live = useLiveState();
  const [theme, setTheme] = useState(chosenTheme);
  const [help, setHelp] = useState(false);
  const other = isDark(theme) ? "light" : "dark";
  const change = () => {
    applyTheme(other);
    setTheme(other);
  };
  const byNumber = Object.fromEntries(pages.map((one, i) => [String(i + 1), () => go([one.id])]));
  useKeys({
    ...byNumber,
    t: change,
    "?": () => setHelp(true),
    "/": () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
  });
  useEffect(() => {
    document.title = `${page?.title ?? "Interlock"} · Interlock`;
  }, [page]);
  const Component = page?.component;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        to the page
      </button>
      <div class="frame">
        <div class="brand">
          <b>Interlock</b>
          <span class="label" title={frame?.place}>
            {frame?.label ?? ""}
          </span>
        </div>
        <nav aria-label="pages">
          {pages.map((one) => (
            <a key={one.id} href={addressOf(one.id)} aria-current={one.id === id ? "page" : undefined}>
              {one.title}
            </a>
          ))}
        </nav>
        <div class="tools">
          <span class={`live ${live}`} role="status">
            {live === "live" ? "live" : "not connected"}
            {frame && <small>{plural(frame.records, "record")}</small>}
          </span>
          <button type="button" onClick={change} aria-label={`${other} theme`}>
            {other}
          </button>
          <button type="button" onClick={() => setHelp(true)} aria-label="keys and help">
            ?
          </button>
        </div>
      </div>
      <main id="main" tabIndex={-1}>
        {Component ? (
          <Component key={id} parts={parts} />
        ) : (
          <Empty title={`There is no page ${id}.`}>
            <a href={addressOf("sessions")}>Sessions</a>
          </Empty>
        )}
      </main>
      {help && <Help close={() => setHelp(false)} />}
    </>
  );
}

const keys: [string, string][] = [
  ["1 … 9", "a page by its place in the navigation"],
  ["j / k", "next and previous call, gate or record"],
  ["n / p", "next and previous refusal"],
  ["+ / - / 0", "zoom the timeline in, out, all of it"],
  ["h / l", "move the timeline left and right"],
  ["/", "search"],
  ["t", "dark or light"],
  ["Esc", "leave a field or this window"],
];

function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-label="keys and help">
      <h2>Keys</h2>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        The page only reads. To let a refused call through, a person confirms in a terminal. Every view has an address
        of its own that can be passed on.
      </p>
      <button type="button" onClick={() => dialog.current?.close()}>
        close
      </button>
    </dialog>
  );
}
