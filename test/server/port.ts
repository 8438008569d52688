// A port of loopback from the outside: a killed process gives it back a moment after it is gone.
import { createServer } from "node:net";

/** Resolves when somebody else could listen there; fails after ten seconds. */
export async function portFree(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await listens(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`port ${port} stays taken`);
}

/** Whether a stranger could listen there, tried for real. */
export function listens(port: number): Promise<boolean> {
  const stranger = createServer();
  return new Promise((resolve) => {
    stranger.once("error", () => resolve(false));
    stranger.listen(port, "127.0.0.1", () => stranger.close(() => resolve(true)));
  });
}
