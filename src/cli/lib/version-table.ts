// The version matrix as a table: what is installed, what it can do, the hook types, what is enforced.
import type { VersionMatrix } from "../../health/version-matrix.js";
import { bold, dim, green, red, yellow } from "./paint.js";

/** What holds with this client, in one line. */
export function enforcementLine({ client }: VersionMatrix): string {
  const grade = { enforced: green, advisory: yellow, none: red }[client.enforcement];
  return `${grade(client.enforcement)}: ${client.why}`;
}

export function versionTable(matrix: VersionMatrix): string {
  const { tools, interlock, client, others } = matrix;
  const registered = interlock.registered.flatMap((r) => r.programs.map((p) => p.version ?? "missing"));
  return [
    bold("\nVersions"),
    ...table([
      ...tools.map(({ name, version, least }) => [name, version ?? "not installed", `least ${least}`]),
      [
        "Interlock",
        interlock.here,
        `server ${interlock.server ?? "not running"}, registered ${[...new Set(registered)].join(", ") || "nowhere"}`,
      ],
      [client.name, client.version ?? "not installed", `tested with ${client.testedWith}`],
      ...others.map(({ name, version, note }) => [name, version ?? "not installed", version ? note : ""]),
    ]),
    bold(`What ${client.name} can do`),
    ...table(
      client.abilities.map(({ name, since, has, without }) => [
        name,
        `from ${since ?? "any"}`,
        has === undefined ? "not known" : has ? "yes" : `no: ${without}`,
      ]),
    ),
    bold("Registered hooks"),
    ...table([
      ["event", "from", "hook type", "a refusal", "on failure"].map(dim),
      ...client.events.map((row) => [
        row.event,
        row.since ?? "any",
        row.door ?? red("not registered"),
        row.refusal,
        row.failing === "refuses" ? "refused" : row.failing,
      ]),
    ]),
    enforcementLine(matrix),
    "",
  ].join("\n");
}

const control = String.fromCharCode(27);
const width = (text: string): number => text.replaceAll(new RegExp(`${control}\\[\\d*m`, "g"), "").length;

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? "")))) ?? [];
  return rows.map((row) =>
    `  ${row.map((cell, i) => cell + " ".repeat(Math.max(0, widths[i]! - width(cell)))).join("  ")}`.trimEnd(),
  );
}
