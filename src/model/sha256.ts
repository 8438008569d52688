// SHA-256 in one step where this Node can (20.12 and later): every event is hashed several times.
// Invariant: the same digest either way.
import * as crypto from "node:crypto";

type Hash = (algorithm: string, data: string | Buffer, encoding: "hex") => string;

/** Undefined in an older Node. */
export const { hash: hashAtOnce } = crypto as { hash?: Hash };

export const sha256 = (data: string | Buffer): string =>
  hashAtOnce ? hashAtOnce("sha256", data, "hex") : crypto.createHash("sha256").update(data).digest("hex");
