// A port of loopback from the outside: a killed process gives it back a moment after it is gone.
import { createServer } from "node:net";
import { until } from "../../src/testing/until.js";

/** Resolves when somebody else could listen there. */
export const portFree = (port: number): Promise<void> => until(() => listens(port), `port ${port} is free`);

/** Whether a stranger could listen there, tried for real. */
export function listens(port: number): Promise<boolean> {
  const stranger = createServer();
  return new Promise((resolve) => {
    stranger.once("error", () => resolve(false));
    stranger.listen(port, "127.0.0.1", () => stranger.close(() => resolve(true)));
  });
}
