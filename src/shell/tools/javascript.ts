// node and its kin, apart from the other interpreters: package runners start it too.
// Invariant: program text reaches its analyser wherever it comes from (option, script file, standard input).

import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { asksVersion, executes, joined, scriptOrInput } from "./programs.js";

export const nodeOptions = [
  "e|eval= p|print=? r|require= import= loader|experimental-loader= C|conditions= env-file= env-file-if-exists=",
  "input-type= i|interactive c|check test watch watch-path= inspect=? inspect-brk=? inspect-wait=? max-old-space-size=",
  "title= stack-trace-limit= icu-data-dir= openssl-config= tls-cipher-list= test-name-pattern= test-reporter=",
  "test-only",
  "test-reporter-destination= test-concurrency= test-timeout= test-shard= project|P= tsconfig= T|transpile-only O=",
  "cwd=",
  "no-warnings trace-warnings trace-deprecation enable-source-maps expose-gc experimental-strip-types run=",
  "experimental-vm-modules experimental-test-coverage disable-warning= unhandled-rejections= dns-result-order=",
  "cpu-prof",
  "heap-prof prof permission allow-fs-read= allow-fs-write= allow-child-process cpu-prof-dir= diagnostic-dir= esm S",
  "experimental-transform-types no-deprecation throw-deprecation preserve-symlinks stack-size= files b|build",
].join(" ");
const printsEnvironment = /\bconsole\.\w+\((?:JSON\.stringify\()?\s*(?:\{\s*\.\.\.)?process\.env\s*[,)}]/;
const nodeSyntax = syntax(nodeOptions, { posix: true });

export function javascript(call: Invocation, emit: Emit, args: readonly Arg[]): void {
  if (asksVersion({ ...call, args: [...args] })) return;
  const given = parse(args, nodeSyntax);
  for (const module of given.values("require", "import", "loader"))
    if (/^[./]/.test(module.value ?? ".")) emit.script(module, `${call.name} loads it`, "node");
  if (given.has("check")) return;
  if (given.has("test", "run")) return executes(call, emit, `${call.name} --test`);
  const printed = given.value("print");
  // What the file holds is then the environment, and all of it is printed.
  const text = [printed, ...given.values("eval"), ...given.operands].map((word) => word?.value ?? "").join("\n");
  if (given.has("eval", "print") && printsEnvironment.test(given.has("print") ? `console.log(${text.trim()})` : text))
    for (const file of given.values("env-file", "env-file-if-exists")) emit.read(file, `${call.name} --env-file`);
  const code = given.values("eval");
  // `-p 'code'`: the code is a word of its own.
  if (given.has("print") && !printed && code.length === 0 && given.operands[0])
    return emit.program(given.operands[0], `${call.name} -p`, "node");
  if (code.length || printed)
    return emit.program(joined(printed ? [printed, ...code] : code), `${call.name} -e`, "node");
  const [script, ...rest] = given.operands;
  scriptOrInput(script, rest, call, emit, "node");
}
