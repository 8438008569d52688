// Small blocks every page uses: the one thing to look at first, empty states, loading, commands to copy.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Viewed } from "./use-view.js";

/** The first thing to see on a page: one figure or word, and a sentence about it. */
export const Lead = ({
  figure,
  tone = "plain",
  children,
}: {
  figure: string;
  tone?: "plain" | "good" | "bad" | "warn";
  children: ComponentChildren;
}) => (
  <header class={`lead ${tone}`}>
    <strong>{figure}</strong>
    <p>{children}</p>
  </header>
);

/** A command to type in a terminal. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      },
      () => {}, // no permission: the text can be selected
    );
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`copy: ${text}`}>
        {copied ? "copied" : "copy"}
      </button>
    </span>
  );
}

/** Nothing to show yet: why, and the command that changes it. */
export const Empty = ({
  title,
  command,
  children,
}: {
  title: string;
  command?: string;
  children?: ComponentChildren;
}) => (
  <div class="empty">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {command && <Command text={command} />}
  </div>
);

/** Loading, error or the view itself. */
export function Shown<T>({ view, children }: { view: Viewed<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, loading } = view;
  if (value !== undefined)
    return (
      <>
        {error && (
          <p class="trouble" role="status">
            {error}
          </p>
        )}
        {children(value)}
      </>
    );
  if (error) return <Empty title={error} />;
  return (
    <div class="loading" role="status">
      <progress max={1} value={loading || undefined} />
      <span>{loading ? `reading the record: ${Math.round(loading * 100)} %` : "reading"}</span>
    </div>
  );
}

export const Panel = ({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) => (
  <section class="panel">
    <h2>
      {title}
      {hint && <small>{hint}</small>}
    </h2>
    {children}
  </section>
);

/** The field that the key / goes to. */
export const SearchField = ({
  what,
  value,
  change,
  hint = `search ${what}  /`,
  wide = false,
}: {
  what: string;
  value: string;
  change: (text: string) => void;
  hint?: string;
  wide?: boolean;
}) => (
  <input
    class={wide ? "grow" : undefined}
    type="search"
    data-search
    placeholder={hint}
    aria-label={`search ${what}`}
    value={value}
    onInput={(event) => change(event.currentTarget.value)}
  />
);
