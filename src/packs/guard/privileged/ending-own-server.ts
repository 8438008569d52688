// Commands that would end Interlock's own server: by process number, group, name, pattern, port or service.
// Invariant: judged against the processes running now; a command that can only reach other processes passes.
import type { Facts } from "../../../facts/index.js";
import type { Effect } from "../../../model/effect.js";
import type { Residence, Resident } from "../../../project/protected/own-server.js";
import type { Ran } from "../../../shell/analyze/analysis.js";

export function endsInterlock(facts: Facts): string | undefined {
  const { effects = [], commands = [] } = facts.shell ?? {};
  for (const { program, argv } of commands) {
    if (!/^(?:pkill|killall|systemctl|launchctl|pm2|skill)$/.test(program)) continue;
    const name = argv.find((word) => /interlock/i.test(word ?? ""));
    if (name !== undefined && !asksOnly(argv)) return `${program} ${name}`;
  }
  const kills = effects.filter((e) => e.hazard?.class === "kill" && e.how !== "remote");
  if (!kills.length) return undefined;
  const residence = facts.residence;
  const kill = kills.find((e) => reaches(e, commands, residence));
  return kill && `${kill.program} ${(kill.argv ?? []).map((word) => word ?? "...").join(" ")}`;
}

const asksOnly = (argv: Ran["argv"]) =>
  argv.some((word) => /^(?:status|show|list|is-active|cat|print)$/.test(word ?? ""));

function reaches({ program = "", argv = [] }: Effect, commands: readonly Ran[], residence: Residence): boolean {
  const words = argv.filter((word) => word !== undefined);
  if (/^(?:pkill|killall|skill|slay)$/.test(program) && words.length === argv.length)
    return residence.processes.some((p) => selects(program, words, p));
  if (program === "fuser") return words.some((word) => isServerAddress(word, residence));
  const aimed = words.map((word) => /^(-?)(\d+)$/.exec(word)).filter((m) => m !== null);
  if (aimed.some(([, group, n]) => residence.processes.some((p) => (group ? p.group : p.pid) === Number(n))))
    return true;
  if (program === "taskkill") return words.some((word) => residence.processes.some((p) => p.names.includes(word)));
  // A number that is looked up while the command runs: whose it will be is told by what looks it up.
  return (words.length < argv.length || !argv.length) && looksUp(commands, residence);
}

/** The port, the socket, or a file that says which process it is. */
const isServerAddress = (word: string, { ports, home }: Residence) =>
  word.includes(home) || ports.some((port) => new RegExp(`(?:^|[^\\d])${port}(?:$|[^\\d])`).test(word));

/** Whether `pkill`, `pgrep`, `killall` or `pidof` with these words would pick the process. */
function selects(program: string, words: readonly string[], resident: Resident): boolean {
  const options = words.filter((word) => word.startsWith("-"));
  const has = (letter: string, long: string) =>
    options.some((o) => o === `--${long}` || (/^-[a-zA-Z]+$/.test(o) && o.includes(letter)));
  const after = (...names: string[]) => words.flatMap((word, i) => (names.includes(word) ? [words[i + 1] ?? ""] : []));
  if (after("-P", "--parent", "-g", "--pgroup", "-s", "--session").some((n) => Number(n) === resident.group))
    return true;
  const valued = new Set(after("-P", "-g", "-s", "-u", "-U", "-G", "-t", "-F", "--signal", "--parent", "--pgroup"));
  const names = words.filter((word) => !word.startsWith("-") && !valued.has(word));
  if (!names.length) return after("-u", "-U", "--uid", "--euid").length > 0;
  const exact = /^(?:killall|pidof)$/.test(program) && !has("r", "regexp");
  if (exact) return names.some((name) => resident.names.includes(name.slice(name.lastIndexOf("/") + 1)));
  const texts = has("f", "full") ? [resident.command] : resident.names;
  return names.some((name) => texts.some((text) => mayMatch(name, text, has("i", "ignore-case"))));
}

/** Whether a pattern can match the text, without running it: the plain pieces of one alternative, in their order. */
function mayMatch(pattern: string, text: string, anyCase: boolean): boolean {
  const [sought, within] = anyCase ? [pattern.toLowerCase(), text.toLowerCase()] : [pattern, text];
  return sought.split("|").some((alternative) => {
    let at = 0;
    for (const piece of alternative.split(/\\.|\[[^\]]*\][*+?]?|.[*+?]|.\{[^}]*\}|[.^$()]+/)) {
      const found = within.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return alternative !== "";
  });
}

function looksUp(commands: readonly Ran[], residence: Residence): boolean {
  const { processes, home } = residence;
  const plain = commands.map(({ program, argv }) => ({ program, words: argv.filter((word) => word !== undefined) }));
  const by = (names: RegExp) => plain.filter(({ program }) => names.test(program));
  if (by(/^(?:pgrep|pidof)$/).some(({ program, words }) => processes.some((p) => selects(program, words, p))))
    return true;
  if (by(/^(?:lsof|fuser|ss|netstat)$/).some(({ words }) => words.some((word) => isServerAddress(word, residence))))
    return true;
  if (plain.some(({ words }) => words.some((word) => word.includes(home)))) return true;
  if (!by(/^ps$/).length) return false;
  const sieves = by(/^(?:[ef]?grep|rg|g?awk|sed)$/).flatMap(({ program, words }) => patterns(program, words));
  return processes.some((p) => sieves.length > 0 && sieves.every((pattern) => mayMatch(pattern, p.command, true)));
}

/** What lines of a process list a filter keeps. */
function patterns(program: string, words: readonly string[]): string[] {
  if (/awk$|^sed$/.test(program)) return words.flatMap((word) => [...word.matchAll(/\/([^/]+)\//g)].map((m) => m[1]!));
  if (words.some((word) => /^-[a-zA-Z]*v/.test(word) || word === "--invert-match")) return [];
  return words.filter((word) => !word.startsWith("-")).slice(0, 1);
}
