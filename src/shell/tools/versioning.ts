// Version control other than git, and tools that rewrite a git history from outside.
// Invariant: what records a change is a commit, what sends it a push, what rewrites history a rewrite, whatever the tool is called.

import type { Emit, ToolFamily } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { all, cli, type Use } from "./commands.js";
import { executes } from "./table.js";

const commits = ({ call, given }: Use, emit: Emit) =>
  emit.effect({
    kind: "commit",
    program: call.name,
    reason: `${call.name} commits`,
    repo: emit.resolve(literal(".")),
    message: given.value("message")?.value,
  });
const pushes = ({ call }: Use, emit: Emit) => {
  emit.effect({ kind: "push", program: call.name, reason: `${call.name} pushes`, repo: emit.resolve(literal(".")) });
  emit.effect({ kind: "network", program: call.name, upload: true, reason: `${call.name} pushes` });
};
const rewrites = ({ call }: Use, emit: Emit) =>
  emit.effect({
    kind: "rewrite-history",
    program: call.name,
    reason: `${call.name} rewrites history`,
    repo: emit.resolve(literal(".")),
  });
const discards = (use: Use, emit: Emit) => {
  for (const path of use.rest.length ? use.rest : [literal(".")])
    emit.write(path, `${use.call.name} takes changes back`, { recursive: true, glob: true });
};
const pulls = ({ call }: Use, emit: Emit) => {
  emit.effect({ kind: "network", program: call.name, reason: `${call.name} fetches` });
  emit.write(literal("."), `${call.name} changes the work tree`, { recursive: true, glob: true });
};

const takes =
  "m|message= R|repository|cwd= r|rev|revision= f|file= b|branch= B= u|user= d|destination= l= s|source= A= I= at-operation=";

const tools = [
  cli({
    names: "jj",
    takes,
    verbs: [
      { path: "commit|ci|describe|desc|new|split|squash|amend|duplicate|backout|revert", does: commits },
      { path: "git push", does: pushes },
      { path: "git clone|fetch", does: pulls },
      { path: "rebase|abandon|parallelize|simplify-parents", hazard: "history-loss:1", does: rewrites },
      { path: "restore", hazard: "worktree-loss:3", id: "jj-restore", does: discards },
      // Without its operations nothing of jj can be undone.
      ...all("history-loss:3", ["op|operation abandon"]),
      ...all("history-loss:2", ["op restore", "operation restore", "util gc", "bookmark delete", "branch delete"]),
      { path: "edit|next|prev|workspace|sparse", does: discards },
    ],
  }),
  cli({
    names: "hg sl chg fossil",
    takes,
    verbs: [
      { path: "commit|ci|amend|record", does: commits },
      { path: "push|sync", does: pushes },
      {
        path: "pull|clone|update|up|checkout|co|goto|merge",
        needs: ["clean", "C"],
        hazard: "worktree-loss:3",
        id: "hg-update-clean",
        does: discards,
      },
      { path: "pull|clone|update|up|checkout|co|goto|merge", does: pulls },
      { path: "revert", hazard: "worktree-loss:3", id: "hg-revert", does: discards },
      { path: "purge|clean", hazard: "worktree-loss:3", does: discards },
      { path: "strip|debugstrip", needs: ["no-backup"], hazard: "history-loss:3", does: rewrites },
      {
        path: "strip|histedit|rebase|rollback|debugstrip|uncommit|unamend|fold|metaedit|hide",
        hazard: "history-loss:2",
        does: rewrites,
      },
      {
        path: "remove|rm|forget",
        does: ({ rest }, emit) => {
          for (const path of rest) emit.delete(path, "removed from the work tree");
        },
      },
      {
        path: "status|st|log|diff|annotate|blame|cat|heads|identify|id|incoming|outgoing|branches|tags|summary|show|info|timeline|files|grep|root|paths|config|verify",
      },
    ],
  }),
  cli({
    names: "svn svnadmin bzr cvs p4 darcs pijul",
    takes: `${takes} c= p= username= password=`,
    verbs: [
      {
        path: "commit|ci|checkin|submit|record",
        does: (use, emit) => {
          commits(use, emit);
          pushes(use, emit);
        },
      },
      { path: "push", does: pushes },
      { path: "revert|cleanup|clean-tree", hazard: "worktree-loss:3", id: "svn-revert", does: discards },
      {
        path: "delete|del|remove|rm",
        does: ({ call, rest }, emit) => {
          for (const path of rest)
            if (!/^\w+:\/\//.test(path.value ?? "")) emit.delete(path, `${call.name} removes it`, { recursive: true });
            else
              emit.hazard(
                { class: "history-loss", level: 2, id: "svn-remote-delete" },
                `${call.name} deletes in the repository`,
              );
        },
      },
      { path: "update|up|checkout|co|switch|sw|merge|sync|get|pull|clone", does: pulls },
      { path: "obliterate|uncommit|unrecord|obliterate", hazard: "history-loss:3", does: rewrites },
    ],
  }),
  cli({
    names: "gt graphite spr ghstack stg git-branchless git-machete git-town git-spice",
    takes,
    verbs: [
      { path: "create|c|modify|m|amend|commit|split|squash|fold|new", does: commits },
      { path: "submit|ss|s|sync|land|merge|push", does: pushes },
      { path: "restack|rebase|reorder|move|absorb|undo|pop|float|sink", hazard: "history-loss:1", does: rewrites },
      { path: "delete|dl|untrack|drop|clean", hazard: "history-loss:2" },
    ],
    otherwise: ({ call }, emit) => executes(call, emit, `${call.name} works on the repository`),
  }),
];

/** bfg and git-filter-repo rewrite every commit of a repository. */
const rewriters: ToolFamily = {
  names: ["bfg", "reposurgeon", "git-obliterate"],
  lower(call, emit) {
    emit.effect({
      kind: "rewrite-history",
      program: call.name,
      reason: `${call.name} rewrites the whole history`,
      repo: emit.resolve(literal(".")),
      hazard: { class: "history-loss", level: 3, id: "rewrite-history" },
    });
  },
};

export const versioning = [...tools, rewriters];
