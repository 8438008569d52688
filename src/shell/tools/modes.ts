// Ownership, modes, attributes.
// Invariant: each path named is a write; a recursive or world-writable change of a system tree is a proven disaster.
import type { Hazard } from "../../model/effect.js";
import type { Arg, ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { asksHelp } from "./table.js";

const grammar = syntax("R|recursive reference= from= v f|silent c|changes h L H P p= preserve-root no-preserve-root");

const modes: ToolFamily = {
  names: ["chmod", "chown", "chgrp", "gchmod", "gchown", "chattr", "chflags", "chcon"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    // A mode such as -x or -rwx looks like an option: it is the first word that isn't one of the known flags.
    const symbolic = call.args.find(
      (arg) => /^-[rwxXstugoai]+$|^[-+=][a-zA-Z]+$/.test(arg.value ?? "") && !/^-[RvfchLHP]+$/.test(arg.value!),
    );
    const given = parse(
      call.args.filter((arg) => arg !== symbolic),
      grammar,
    );
    const skip = given.has("reference") || symbolic ? 0 : 1;
    const mode = symbolic?.value ?? given.operands[0]?.value ?? "";
    const recursive = given.has("recursive");
    for (const target of given.operands.slice(skip)) {
      const hazard = danger(call.name, mode, recursive, target);
      emit.write(target, `${call.name} ${mode}`, {
        ...(recursive && { recursive }),
        ...(hazard && { hazard }),
        how: "mode",
      });
    }
  },
};

const acl: ToolFamily = {
  names: ["setfacl", "xattr", "setfattr", "setcap"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "m|modify= M|modify-file= x|remove= X|remove-file= set= set-file= restore= n|name= v|value= R|recursive d=  w= p=",
      ),
    );
    const recursive = given.has("recursive") ? { recursive: true } : {};
    if (call.name === "xattr" && !given.has("d", "w", "c")) return;
    const files = call.name === "setcap" || given.has("w") ? given.operands.slice(1) : given.operands;
    for (const target of files) {
      const hazard = danger(call.name, "", given.has("recursive"), target);
      emit.write(target, `${call.name} changes its attributes`, {
        ...recursive,
        ...(hazard && { hazard }),
        how: "mode",
      });
    }
    if (call.name === "setcap")
      emit.hazard({ class: "permissions", level: 2, id: "setcap" }, "gives a program capabilities");
  },
};

const systemTree =
  /^\/(\*|bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library|Applications)?\/?\*?$/;

function danger(name: string, mode: string, recursive: boolean, target: Arg): Hazard | undefined {
  const path = target.value ?? "";
  const open = /^chmod$/.test(name) && /(^[0-7]?777$|^a?[+=]rwx|[oa][+=][rx]*w|^[0-7]?[0-7]{2}[2367]$)/.test(mode);
  const setuid = name === "chmod" && /(^[2467][0-7]{3}$|[+=]\w*s)/.test(mode);
  // Every file a walk from the root or from home finds.
  const everything = target.glob && (path === "/*" || /^\/(home|Users)\/[^/]+\/\*$/.test(path));
  if ((recursive || everything) && systemTree.test(path))
    return { class: "permissions", level: 3, id: `${name}-system-tree` };
  if ((recursive || everything) && /^(\/home\/[^/]+|\/Users\/[^/]+|~)\/?\*?$/.test(path))
    return { class: "permissions", level: 3, id: `${name}-home` };
  if (path === "/") return { class: "permissions", level: 3, id: `${name}-root` };
  if (setuid) return { class: "permissions", level: 2, id: "setuid" };
  if (recursive && open) return { class: "permissions", level: 2, id: "chmod-world-writable" };
  if (open) return { class: "permissions", level: 1, id: "chmod-world-writable" };
  if (recursive && name === "chown") return { class: "permissions", level: 1, id: "chown-recursive" };
}

export const permissionTools = [modes, acl];
