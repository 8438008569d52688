// Commands of the Windows shell that agents type on any machine, and phone bridges.
// Invariant: deletions keep their targets; options with a slash are no paths.

import type { Arg, ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { all, cli, commandLine } from "./commands.js";

const paths = (args: readonly Arg[]) => args.filter((arg) => !/^\/[a-zA-Z?](:.*)?$|^-/.test(arg.value ?? ""));

const erase: ToolFamily = {
  names: ["del", "erase", "rd", "deltree"],
  lower(call, emit) {
    const recursive = call.args.some((arg) => /^\/s$/i.test(arg.value ?? ""));
    for (const path of paths(call.args))
      emit.delete(path, `${call.name} ${path.source}`, recursive ? { recursive: true } : {});
  },
};

const robocopy: ToolFamily = {
  names: ["robocopy", "xcopy"],
  lower(call, emit) {
    const [from, to] = paths(call.args);
    if (from) emit.read(from, `${call.name} source`, { recursive: true });
    if (to) emit.write(to, `${call.name} destination`, { recursive: true });
    if (to && call.args.some((arg) => /^\/(mir|purge)$/i.test(arg.value ?? "")))
      emit.delete(to, `${call.name} /MIR`, { recursive: true });
    if (from && call.args.some((arg) => /^\/mov(e)?$/i.test(arg.value ?? "")))
      emit.delete(from, `${call.name} /MOVE`, { recursive: true });
  },
};

/** `format C:` is a disaster; other words after it are not this program. */
const format: ToolFamily = {
  names: [
    "format",
    "vssadmin",
    "wbadmin",
    "cipher",
    "schtasks",
    "reg",
    "net",
    "wmic",
    "icacls",
    "takeown",
    "sfc",
    "dism",
  ],
  lower(call, emit) {
    const words = call.args.map((arg) => (arg.value ?? "").toLowerCase());
    const say = (
      cls: "disk" | "system" | "infrastructure" | "persistence" | "permissions",
      level: 1 | 2 | 3,
      id: string,
    ) => emit.hazard({ class: cls, level, id }, `${call.name} ${words.slice(0, 2).join(" ")}`);
    if (call.name === "format" && words.some((word) => /^[a-z]:\\?$/.test(word))) return say("disk", 3, "format");
    if (/^(vssadmin|wbadmin|wmic)$/.test(call.name) && words.includes("delete"))
      return say("infrastructure", 3, "shadow-copies");
    if (call.name === "cipher" && words.some((word) => word.startsWith("/w"))) return say("disk", 2, "cipher-wipe");
    if (call.name === "schtasks" && words.some((word) => /^\/(create|change|run)$/.test(word)))
      return say("persistence", 2, "schtasks");
    if (call.name === "reg" && /^(add|delete|import|restore)$/.test(words[0] ?? ""))
      return say("system", 2, `registry-${words[0]}`);
    if (call.name === "net" && /^(user|localgroup|stop|start|share|use)$/.test(words[0] ?? "") && words.length > 1)
      return say("system", 2, `net-${words[0]}`);
    if (/^(icacls|takeown)$/.test(call.name) && words.some((word) => /^\/(grant|reset|r|t)$/.test(word)))
      return say("permissions", 2, call.name);
  },
};

/** PowerShell by name: disks, and text that is run. */
const cmdlets: ToolFamily = {
  names: ["Format-Volume", "Clear-Disk", "Initialize-Disk", "Remove-Partition", "Invoke-Expression"],
  lower(call, emit) {
    if (call.name === "Invoke-Expression")
      return emit.unknown("Invoke-Expression runs text nobody sees", {
        hazard: { class: "remote-code", level: 3, id: "invoke-expression" },
      });
    emit.hazard({ class: "disk", level: 3, id: call.name.toLowerCase() }, call.name);
  },
};

const phones = [
  cli({
    names: "adb",
    takes: "s= t= H= P= L=",
    verbs: [
      {
        path: "shell",
        does: ({ raw }, emit) => emit.remote(commandLine(raw), "android", "runs on the device"),
      },
      {
        path: "push",
        does: ({ rest }, emit) => {
          for (const file of rest.slice(0, -1)) emit.read(file, "adb push", { recursive: true });
        },
      },
      {
        path: "pull",
        does: ({ rest }, emit) =>
          emit.write(rest[1] ?? { source: ".", value: ".", prefix: "." }, "adb pull", { recursive: true }),
      },
      ...all("infrastructure:1", ["uninstall|install|install-multiple|reboot|root|remount|disable-verity|sideload"]),
    ],
  }),
  cli({
    names: "fastboot",
    takes: "s=",
    verbs: [...all("disk:3", ["erase|flash|format|oem|flashing|update|flashall"])],
  }),
];

/** macOS preferences. */
const defaults: ToolFamily = {
  names: ["defaults", "plutil", "gsettings", "dconf", "PlistBuddy", "pmset", "tccutil", "kwriteconfig5"],
  lower(call, emit) {
    const [verb, target] = call.args;
    const changes =
      /^(write|delete|import|rename|set|reset|reset-recursively|load|-replace|-insert|-remove|-convert)$/.test(
        verb?.value ?? "",
      ) ||
      (call.name === "pmset" && verb?.value !== "-g");
    if (call.name === "plutil" && changes) {
      const file = parse(call.args, syntax("o= e= s")).operands.at(-1);
      return file ? emit.write(file, "plutil changes it") : undefined;
    }
    if (changes)
      emit.hazard(
        { class: "persistence", level: verb?.value === "delete" || call.name === "tccutil" ? 2 : 1, id: "preferences" },
        `${call.name} ${verb?.value} ${target?.source ?? ""}`,
      );
  },
};

export const windowsAndDevices = [cmdlets, erase, robocopy, format, ...phones, defaults];
