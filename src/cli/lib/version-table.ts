// The version matrix as a table: what is installed, what it can do, the hook types, what is enforced.
import type { VersionMatrix } from "../../health/version-matrix.js";
import { bold, dim, green, red, yellow } from "./paint.js";

export function versionTable({ tools, interlock, client, others }: VersionMatrix): string {
  const registered = interlock.registered.flatMap((r) => r.programs.map((p) => p.version ?? "missing"));
  const grade = { enforced: green, advisory: yellow, none: red }[client.enforcement];
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
      ["event", "from", "hook type", "a refusal", "if Interlock fails"].map(dim),
      ...client.events.map((row) => [
        row.event,
        row.since ?? "any",
        row.door ?? red("not registered"),
        row.refusal,
        row.failing === "refuses" ? "refused" : row.failing,
      ]),
    ]),
    `${grade(client.enforcement)}: ${client.why}`,
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
