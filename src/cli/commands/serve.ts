// interlock serve: the resident server in the foreground; `interlock up` runs it in the background.
import { setFlagsFromString } from "node:v8";
import { interlockHome } from "../../hook/folders.js";
import { readAddress } from "../../hook/server-address.js";
import { downUntil, endDown, forgetStartAttempts } from "../../hook/start-policy.js";
import { prepareFolder } from "../../server/home-preflight.js";
import { restoreAddress } from "../../server/repair-address.js";
import { parseOptions } from "../lib/args.js";
import { packageDir } from "../lib/current-project.js";
import { sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock serve [--home <folder>]

  Answers hooks on loopback and on a socket until it is told to stop (Ctrl-C, interlock down).
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    { home: "text", worker: "flag", dashboard: "flag", listen: "text", revived: "text", called: "flag" },
    usage,
  );
  const home = interlockHome(process.env, values.home);
  // The process is long-lived: let V8 optimise functions after a seventh of the usual use.
  setFlagsFromString("--interrupt-budget=10000");
  if (values.worker) {
    const { work } = await import("../../server/worker.js");
    return work(home, packageDir());
  }
  if (values.dashboard) {
    const { answerParent } = await import("../../dashboard/dashboard-child.js");
    return answerParent(home, packageDir());
  }
  const listen = values.listen === undefined ? undefined : Number(values.listen);
  // Started by the socket holder of a home that no longer exists: nothing to serve.
  if (listen !== undefined && !readAddress(home)) return 0;
  const fault = prepareFolder(home);
  if (fault) {
    sayError(`interlock: ${fault.why}\n  fix: ${fault.fix}`);
    return 1;
  }
  restoreAddress(home);
  const { AlreadyRunning, PortTaken, supervise } = await import("../../server/supervisor.js");
  try {
    // Only a person starts a server that a person stopped.
    if (!values.called && listen === undefined) endDown(home);
    else if (downUntil(home)) return 0;
    const serve = () =>
      supervise(home, process.argv[1]!, {}, { keep: true, listen, revived: Number(values.revived) || 0 });
    const server = await serve().catch(async (error: unknown) => {
      if (!(error instanceof PortTaken) || !(await addressGivenUp(home))) throw error;
      return serve();
    });
    forgetStartAttempts(home);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => void server.end(`signal ${signal}`));
    sayError(`interlock: answering on 127.0.0.1:${server.door.port} and ${server.door.socket}`);
    const why = await server.ended;
    sayError(`interlock: ended, ${why}`);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof AlreadyRunning) && !(error instanceof PortTaken)) throw error;
    sayError(`interlock: ${error.message}`);
    if (error instanceof PortTaken)
      sayError(
        `  stop that program, or give Interlock another port: interlock up --new-port (now ${readAddress(home)?.port})`,
      );
    return error instanceof PortTaken ? 1 : 0;
  }
}

/** An address that no registered hook calls can be given up for another. */
async function addressGivenUp(home: string): Promise<boolean> {
  const { calledOverHttp } = await import("../../hook/start-server.js");
  if (calledOverHttp(home)) return false;
  (await import("../../server/start-stop.js")).changeAddress(home);
  return true;
}
