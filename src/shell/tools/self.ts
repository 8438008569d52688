// Interlock's own command line, as an agent may call it.
// Invariant: what loosens the guard or speaks for a person is a proven by-pass; looking and explaining is quiet.
import { tools } from "../spec/interpret.js";

export const self = tools(
  "self",
  `
tool interlock agent-interlock
  options scope= config= cwd= json reason= for= command= tool= input= client= agent= session= since= port= host= limit=
    y|yes v|verbose q|quiet dry-run open all none tick= evidence= start any id= parent= criterion= constraint=
    approval= lines= ignore-case out=
  always exec
  init --dry-run : quiet
  allow|pause|uninstall|off|restore|recover : !interlock-bypass(interlock-{1}) "is for people"
  down|seal|consent|trust|reset|init|hook|serve|up : !interlock-control(interlock-{1}) "is for people"
  status|why|explain|doctor|config|verify|checkpoint|discipline|lifecycle|loop|orphans|resume|key|erase|log|page : quiet
  compact|intent|query-log : quiet
  trace blame|stats|verify : quiet
  ~? : !interlock-bypass(interlock-unresolved) "has a sub-command that is not static"
  otherwise unknown
`,
);
