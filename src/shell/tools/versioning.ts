// Version control other than git, and tools that rewrite a git history from outside.
// Invariant: what records a change is a commit, what sends it a push, what rewrites history a rewrite,
// whatever the tool is called.
import { type Hazard, hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal } from "../spec/options.js";

const options = [
  "m|message= R|repository|cwd= r|rev|revision= f|file= b|branch= B= u|user= d|destination= l|limit= s|source= A= I=",
  "at-operation|at-op= config= color= debug q|quiet v|verbose no-pager ignore-working-copy ignore-immutable",
  "traceback profile y|noninteractive T|template= t|tool= to= from= into= o|onto= i|interactive n|no-commit",
  "k|keep a|all g|git bookmark= c|change= allow-new deleted tracked p|patch stat G|graph e|edit",
].join(" ");
const takeBack = "write rest else . all";
const pull = "network, write . all";

export const versioning = tools(
  "versioning",
  `
tool jj
  options ${options}
  commit|ci|describe|desc|new|split|squash|amend|duplicate|backout|revert|metaedit : do commit
  git push : do push
  git clone|fetch : ${pull}
  rebase|abandon|parallelize|simplify-parents|absorb|diffedit|unsquash : !history-rewrite({path}), do rewrite
  restore : !discard({path}), ${takeBack}
# Without its operations nothing of jj can be undone.
  op|operation abandon : !history-destroy({path})
  op|operation restore|undo|revert : !history-remove({path})
  util gc : !history-remove({path})
  bookmark|branch|b|tag delete|forget|d|f : !history-remove({path})
  edit|next|prev|workspace|sparse : ${takeBack}
  undo|redo : ${takeBack}
  op|operation log|show|diff : quiet
  log|status|st|diff|show|evolog|obslog|interdiff|file|files|cat|root|config|help|version|tag|gerrit|sign|resolve|fix :
    quiet
  bookmark|branch|b list|l|create|c|set|s|move|m|track|t|untrack|rename|r : quiet
  git remote|init|export|import|root|colocation : quiet
  util completion|config-schema|mangen|exec|snapshot : quiet
  otherwise unknown
tool hg sl chg fossil
  options ${options} C|clean no-backup close-branch X|exclude= N|new debugger S|subrepos addremove
  commit|ci|amend|record|backout|graft : do commit
  push|sync : do push
  pull|clone|update|up|checkout|co|goto|merge --clean : !discard(hg-update-clean), ${takeBack}
  pull|clone|update|up|checkout|co|goto|merge|unshelve|import|patch|open : ${pull}
  revert : !discard(hg-revert), ${takeBack}
  purge|clean : !discard({path}), ${takeBack}
  strip|debugstrip --no-backup : !history-destroy({path}), do rewrite
  strip|histedit|rebase|rollback|debugstrip|uncommit|unamend|fold|metaedit|hide|prune|split :
    !history-remove({path}), do rewrite
  remove|rm|forget|delete : delete rest
  status|st|log|diff|annotate|blame|cat|heads|identify|id|incoming|outgoing|branches|tags|summary|show|info|timeline :
    quiet
  files|grep|root|paths|config|verify|add|addremove|branch|tag|bookmark|bookmarks|resolve|parents|manifest|locate :
    quiet
  sum|phase|smartlog|ssl|bundle|export|archive|init|shelve|copy|cp|move|mv|rename|debug*|extras|changes|ls|finfo|ui :
    quiet
  otherwise unknown
tool svn svnadmin bzr cvs p4 darcs pijul
  options ${options.replace("c|change= ", "")} c= port= username= password= P= N|non-recursive force depth= x=
    non-interactive trust-server-cert no-auth-cache F= parents xml
  commit|ci|checkin|submit|record : do commit, do push
  push : do push
  revert|cleanup|clean-tree : !discard(svn-revert), ${takeBack}
  delete|del|remove|rm : do remove
  update|up|checkout|co|switch|sw|merge|sync|get|pull|clone|export : ${pull}
  obliterate|uncommit|unrecord : !history-destroy({path}), do rewrite
  status|stat|st|log|diff|di|info|list|ls|blame|praise|annotate|ann|cat|proplist|pl|propget|pg|help|auth|opened :
    quiet
  describe|fstat|files|where|clients|client|annotate|filelog|whatsnew|changelog|missing|tags|show|verify|youngest|dump :
    quiet
  add|mkdir|copy|cp|move|mv|rename|resolve|resolved|propset|ps|propdel|pd|propedit|pe|changelist|cl|lock|unlock|edit :
    quiet
  changes|login|logout|init|create|import|reopen|reconcile|shelve|hotcopy|lstxns|tag : quiet
  otherwise unknown
tool gt graphite spr ghstack stg git-branchless git-machete git-town git-spice
  options ${options} no-verify draft publish stack no-interactive
  create|c|modify|m|amend|commit|split|squash|fold|new : do commit
  submit|ss|s|sync|land|merge|push : do push
  restack|rebase|reorder|move|absorb|undo|pop|float|sink : !history-rewrite({path}), do rewrite
  delete|dl|untrack|drop|clean : !history-remove({path})
  log|ls|ll|status|info|checkout|co|up|u|down|d|top|t|bottom|b|trunk|parent|children|config|auth|repo|user|series|show :
    quiet
  otherwise exec "works on the repository"
tool bfg reposurgeon git-obliterate
  otherwise do rewriteAll
`,
  {
    commit({ call, given }, emit) {
      emit.effect({
        kind: "commit",
        program: call.name,
        reason: `${call.name} commits`,
        repo: emit.resolve(literal(".")),
        message: given.value("message")?.value,
      });
    },
    push({ call }, emit) {
      emit.effect({
        kind: "push",
        program: call.name,
        reason: `${call.name} pushes`,
        repo: emit.resolve(literal(".")),
      });
      emit.effect({ kind: "network", program: call.name, upload: true, reason: `${call.name} pushes` });
    },
    rewrite: (use, emit) => rewrites(use, emit, "rewrites history"),
    rewriteAll: (use, emit) =>
      rewrites(use, emit, "rewrites the whole history", hazard("history-destroy", "rewrite-history")),
    remove({ call, rest }, emit) {
      for (const path of rest)
        if (!/^\w+:\/\//.test(path.value ?? "")) emit.delete(path, `${call.name} removes it`, { recursive: true });
        else emit.hazard(hazard("history-remove", "svn-remote-delete"), `${call.name} deletes in the repository`);
    },
  },
);

function rewrites({ call }: Use, emit: Emit, what: string, found?: Hazard): void {
  emit.effect({
    kind: "rewrite-history",
    program: call.name,
    reason: `${call.name} ${what}`,
    repo: emit.resolve(literal(".")),
    ...(found && { hazard: found }),
  });
}
