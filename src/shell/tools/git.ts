// git: what each sub-command commits, pushes, rewrites, loses, reads and runs.
// Invariant: an option that can run a program or move the repository is never ignored.
import type { ToolFamily } from "../tool.js";
import { parse, syntax } from "./options.js";

const globalSyntax = syntax(
  "C= c= git-dir= work-tree= namespace= exec-path=? super-prefix= config-env= attr-source= list-cmds= p|paginate P|no-pager",
  { posix: true },
);

export const git: ToolFamily = {
  names: ["git"],
  lower(call, emit) {
    const given = parse(call.args, globalSyntax);
    const [verb, ...rest] = given.operands;
    if (verb?.value === "commit")
      emit.effect({ kind: "commit", reason: "git commit", repo: call.cwd, message: rest[1]?.value });
  },
};
