// git push: what it does to the branches of a remote.
// Invariant: the gravest thing a push does names it; the table below is in that order.
import type { PushHow } from "../../../model/effect.js";
import { type HazardId, hazard } from "../../../model/hazards.js";
import { network } from "./commits.js";
import { type Git, options, protectedBranch, repository, rewrites } from "./repo.js";

/** What the words of a push say. */
interface Push {
  mirror: boolean;
  prune: boolean;
  /** A ref is deleted: --delete, or `:ref`. */
  deletes: boolean;
  /** The remote's commits may be replaced: --force, or `+ref`, unless a lease comes later. */
  force: boolean;
  lease: boolean;
  /** A ref is a branch people build on. */
  guarded: boolean;
  /** The hooks are skipped. */
  unverified: boolean;
}

/** The first row that fits says what it is. */
const hazards: readonly [HazardId, (push: Push) => boolean][] = [
  ["git-push-mirror", (push) => push.mirror],
  ["git-push-prune", (push) => push.prune],
  ["git-push-delete-protected", (push) => push.deletes && push.guarded],
  ["git-push-delete", (push) => push.deletes],
  ["git-push-force", (push) => push.force],
  ["git-push-lease-protected", (push) => push.lease && push.guarded],
  ["git-push-lease", (push) => push.lease],
  ["no-verify", (push) => push.unverified],
  ["git-push-protected", (push) => push.guarded],
];

function howOf(push: Push): PushHow | undefined {
  if (push.mirror) return "mirror";
  if (push.deletes) return "delete";
  if (push.force) return "force";
  return push.lease ? "force-with-lease" : undefined;
}

export function push(git: Git): void {
  const given = options(
    git,
    "f|force force-with-lease=? force-if-includes d|delete mirror prune all branches tags follow-tags u|set-upstream",
    "n|dry-run no-verify verify o|push-option= repo= receive-pack= exec= q|quiet v|verbose 4|ipv4 6|ipv6 signed=?",
    "recurse-submodules= atomic no-atomic thin porcelain progress",
  );
  for (const text of given.values("receive-pack", "exec"))
    git.emit.shell(text, "git push --receive-pack runs it", { setting: true });
  if (given.has("dry-run")) return;
  const [remote = given.value("repo"), ...refs] = given.operands;
  const begins = (sign: string) => refs.some((ref) => (ref.value ?? ref.prefix).startsWith(sign));
  const lastOf = (...names: string[]) => given.options.findLastIndex(({ name }) => names.includes(name));
  const lease = lastOf("force-with-lease", "force-if-includes");
  const targets = refs.map((ref) => (ref.value ?? ref.source).replace(/^\+/, "").replace(/^.*:/, ""));
  const said: Push = {
    mirror: given.has("mirror"),
    prune: given.has("prune"),
    deletes: given.has("delete") || begins(":"),
    force: begins("+") || lastOf("force") > lease,
    lease: lease >= 0,
    guarded: targets.some((ref) => protectedBranch.test(ref)),
    unverified: given.has("no-verify") || git.hooksSkipped,
  };
  const id = hazards.find(([, fits]) => fits(said))?.[0];
  const how = howOf(said);
  if (given.unsure) git.emit.unknown("git push: a word that is not static may be an option");
  git.emit.effect({
    kind: "push",
    reason: "git push",
    repo: repository(git),
    remote: remote?.value,
    ...(refs.length && { refs: refs.map((ref) => ref.value ?? ref.source) }),
    ...(how && { how }),
    ...(said.unverified && { noVerify: true }),
    ...(id && { hazard: hazard(id) }),
  });
  if (how === "force" || how === "mirror") rewrites(git, how, hazard(id!));
  network(git, remote, true);
}
