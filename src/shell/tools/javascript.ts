// node and its kin, apart from the other interpreters: package runners start it too.
// Invariant: program text reaches its analyser from every door (option, script file, standard input).

import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { joined, scriptOrInput, version } from "./programs.js";
import { executes } from "./table.js";

const nodeSyntax = syntax(
  "e|eval= p|print=? r|require= import= loader|experimental-loader= C|conditions= env-file= input-type= i|interactive c|check test watch inspect=? inspect-brk=? max-old-space-size= title= stack-trace-limit= icu-data-dir= openssl-config= tls-cipher-list= test-name-pattern= test-reporter= test-reporter-destination= project= P= tsconfig= transpile-only T O= cwd=",
  { posix: true },
);

export function javascript(call: Invocation, emit: Emit, args: readonly Arg[]): void {
  if (version({ ...call, args: [...args] })) return;
  const given = parse(args, nodeSyntax);
  for (const module of given.values("require", "import", "loader"))
    if (/^[./]/.test(module.value ?? ".")) emit.script(module, `${call.name} loads it`, "node");
  if (given.has("check")) return;
  if (given.has("test", "run")) return executes(call, emit, `${call.name} --test`);
  const printed = given.value("print");
  const code = given.values("eval");
  // `-p 'code'`: the code is a word of its own.
  if (given.has("print") && !printed && code.length === 0 && given.operands[0])
    return emit.program(given.operands[0], `${call.name} -p`, "node");
  if (code.length || printed)
    return emit.program(joined(printed ? [printed, ...code] : code), `${call.name} -e`, "node");
  const [script, ...rest] = given.operands;
  scriptOrInput(script, rest, call, emit, "node");
}
