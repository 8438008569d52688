// The shell overwrites no source file that nobody has read: the edit tools refuse that too.
// Invariant: effects decide. New files, files known to this session and what a command reads itself may be written.
import { extname } from "node:path";
import type { Facts } from "../../../facts/index.js";
import { setOf } from "../../../facts/lazy-pattern.js";
import type { PathEffect } from "../../../model/effect.js";
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf } from "../edits.js";
import { hasLookedAt, researchMemory } from "../research/research-memory.js";
import { workMemory } from "../verification/work-memory.js";

export const inlineScripts = gate<undefined, DisciplineOptions>({
  id: "discipline/inline-scripts",
  title: "The shell overwrites no unread source file",
  about:
    "Refuses shell commands and programs on the command line (`cat > file`, `tee`, `python -c`, `node -e`) that " +
    "overwrite a source file of the project which was neither read nor changed in this session, and which the " +
    "command does not read itself. New files, appended lines and in-place changes (`sed -i`) pass; like every change " +
    "by the shell they need what Edit needs: research, a plan, a test run. Copying, moving, git, builds and scripts " +
    "kept in files are not affected.",
  remedy: "Read the file, then change it, best with Edit or Write.",
  window: "The session.",
  reset: "Reading the file.",
  on: before("shell"),
  onError: "pass",
  judge({ facts, config, recall, project, event }) {
    const { files } = recall(workMemory);
    const seen = recall(researchMemory);
    const blind = editsOf(facts, config).find(
      (c) =>
        c.kind === "write" &&
        c.below !== undefined &&
        !c.broad &&
        source.has(extname(c.below).toLowerCase()) &&
        isTyped(c.by) &&
        !files.includes(c.below) &&
        !hasLookedAt(seen, event, facts.mask(c.path!)) &&
        overwrites(facts, c.path!) &&
        (project.read(c.below) ?? "").trim() !== "",
    );
    return (
      blind &&
      deny({
        joins: true,
        what: `Bash: ${inert(facts.event.tool!.command ?? "", 100)}`,
        why: inert(`it overwrites ${blind.shown}, which was not read in this session`, 200),
        next: `read ${blind.shown} first; then use Edit or Write for the change`,
      })
    );
  },
});

/** The content goes: nothing of the same call reads it, and it is not appended to. */
const overwrites = ({ effects, event }: Facts, path: string): boolean =>
  !effects.some((e) => e.kind === "read" && e.path === path) &&
  effects.some(
    (e) =>
      e.kind === "write" &&
      e.path === path &&
      e.how !== "append" &&
      e.copyOf === undefined &&
      writtenHere(e, event.tool!.command ?? ""),
  );

/** The redirection or the program stands on this command line, not in a script or make target that it runs. */
const writtenHere = ({ word = "", by }: PathEffect, command: string): boolean =>
  by === "redirection"
    ? new RegExp(String.raw`(?<!>)>\|?\s*["']?${word.replace(/[^\w\s]/g, "\\$&")}`).test(command)
    : command.includes(word);

/** Text that was typed on the command line, or a program that was; not a tool that makes files from others. */
const isTyped = (by: string | undefined): boolean => by === undefined || typed.has(by.replace(/[\d.]+$/, ""));

const typed = setOf("redirection tee dd sponge python node bun deno ruby perl php lua osascript Rscript awk gawk");

const source = setOf(`
  .ts .tsx .js .jsx .mjs .cjs .mts .cts .py .rb .go .rs .java .kt .kts .swift .m .mm .c .h .cc .cpp .hpp .cs .php
  .scala .ex .exs .erl .hs .ml .lua .sh .bash .zsh .vue .svelte .css .scss .sql .r .dart .zig`);
