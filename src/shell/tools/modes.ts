// Ownership, modes, attributes.
// Invariant: each path named is a write; a recursive or world-writable change of a system tree is a proven disaster.
import { type Hazard, hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";

const code: Code = {
  mode({ call, given }, emit) {
    // A mode such as -x or -rwx looks like an option: it is the first word that isn't one of the known flags.
    const symbolic = call.args.find(
      (arg) => /^-[rwxXstugoai]+$|^[-+=][a-zA-Z]+$/.test(arg.value ?? "") && !/^-[RvfchLHP]+$/.test(arg.value!),
    );
    const operands = given.operands.filter((arg) => arg !== symbolic);
    const named = symbolic || given.has("reference", "type", "user", "role", "range");
    const mode = symbolic?.value ?? given.operands[0]?.value ?? "";
    const recursive = given.has("recursive");
    for (const target of operands.slice(named ? 0 : 1)) {
      const found = danger(call.name, mode, recursive, target, emit);
      emit.write(target, `${call.name} ${mode}`, {
        ...(recursive && { recursive }),
        ...(found && { hazard: found }),
        how: "mode",
      });
    }
  },
  attributes({ call, given, rest }, emit) {
    const recursive = given.has("recursive");
    for (const target of call.name === "setcap" || given.has("w") ? rest.slice(1) : rest) {
      const found = danger(call.name, "", recursive, target, emit);
      emit.write(target, `${call.name} changes its attributes`, {
        ...(recursive && { recursive }),
        ...(found && { hazard: found }),
        how: "mode",
      });
    }
  },
};

const systemFolders =
  "bin boot dev etc home lib lib64 opt proc root sbin srv sys usr var Users System Library Applications";
const systemTree = new RegExp(`^/(\\*|${systemFolders.replaceAll(" ", "|")})?/?\\*?$`);

function danger(name: string, mode: string, recursive: boolean, target: Arg, emit: Emit): Hazard | undefined {
  const path = target.value ?? "";
  const place = (emit.resolve(target) ?? path).replace(/\/\*$/, "");
  const open = /^chmod$/.test(name) && /(^[0-7]?777$|^a?[+=]rwx|[oa][+=][rx]*w|^[0-7]?[0-7]{2}[2367]$)/.test(mode);
  const setuid = name === "chmod" && /(^[2467][0-7]{3}$|[+=]\w*s)/.test(mode);
  // Every file a walk from the root or from home finds.
  const everything = target.glob && (path === "/*" || /^\/(home|Users)\/[^/]+\/\*$/.test(path));
  if ((recursive || everything) && systemTree.test(path)) return hazard("mode-system-tree", `${name}-system-tree`);
  if ((recursive || everything) && (place === emit.home || /^(\/home\/[^/]+|\/Users\/[^/]+|~)\/?\*?$/.test(path)))
    return hazard("mode-home", `${name}-home`);
  if (path === "/") return hazard("mode-root", `${name}-root`);
  const others = name === "chmod" && /^[0-7]?[0-7]?[0-7]?[4-7]$|(^|[oa,])[+=]\w*r/.test(mode) && !/^u/.test(mode);
  if (others && /\/\.(ssh|gnupg|aws)\/(?!.*\.pub$)./.test(place) && !/known_hosts|\/config$/.test(place))
    return hazard("mode-credential");
  if (setuid) return hazard("setuid");
  if (recursive && open) return hazard("chmod-world-writable-tree");
  if (open) return hazard("chmod-world-writable");
  if (recursive && name === "chown") return hazard("chown-recursive");
}

export const permissionTools = tools(
  "modes",
  `
# Letters of modes (chmod -x) are listed as flags.
tool chmod gchmod chown gchown chgrp chflags
  options R|recursive reference= from= v|verbose f|silent|quiet c|changes h|no-dereference L H P preserve-root
    no-preserve-root dereference r w x X s t u g o a i E N n
  otherwise do mode
tool chattr
  options R|recursive V v= p= f a A c C d D e E F i I j m P s S t T u x
  otherwise do mode
tool chcon
  options R|recursive reference= t|type= u|user= r|role= l|range= v|verbose h|no-dereference L H P preserve-root
  otherwise do mode
tool setfacl setfattr
  options m|modify= M|modify-file=read x|remove= X|remove-file=read set= set-file=read restore=read n|name= v|value=
    R|recursive d b|remove-all k|remove-default mask no-mask default L|logical P|physical h|no-dereference
  dry test
  otherwise do attributes
tool setcap
  options q n= f
  --v : quiet
  otherwise do attributes, !setcap
tool xattr
  options d= w= p= c r|recursive s l x v
  --d|w|c : do attributes
  otherwise quiet
`,
  code,
);
