// The records of runs as Interlock signed them, kept in its own folder; run.json is a copy for readers.
// Invariant: only a record whose signature holds is believed; a copy that says something else is a doubt, never a fact.
import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import { canonical } from "../store/ledger/canonical-json.js";
import { isRunId } from "./ids.js";
import { fileRunRecords, type RunDoubt, RunError, type RunRecords } from "./run.js";
import { interopLimits, type RunRecord, runRecordSchema, schemaFindings } from "./schemas.js";

export interface SignedPlace {
  project: string;
  /** Interlock's folder for runs of this project. */
  folder: string;
  /** The signing key; undefined before the first record was written. */
  key(): Buffer | undefined;
  /** Writes the run into the ledger; makes the key where there is none. */
  announce(record: RunRecord): void;
}

export function signedRunRecords({ project, folder, key, announce }: SignedPlace): RunRecords {
  const copies = fileRunRecords(project);
  const fileOf = (runId: string) => join(folder, `${runId}.json`);
  const signed = (runId: string): RunRecord | "forged" | undefined => {
    if (!isRunId(runId)) return undefined;
    let text: string;
    try {
      text = readBoundedText(fileOf(runId), interopLimits.requestBytes + 100);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      return "forged"; // not a file of ours
    }
    const secret = key();
    const body = text.slice(65);
    if (!secret || !isSame(text.slice(0, 64), signatureOf(secret, body))) return "forged";
    const record = JSON.parse(body) as RunRecord;
    return record.run_id === runId && !schemaFindings(runRecordSchema, record).length ? record : "forged";
  };
  return {
    read(runId) {
      const found = signed(runId);
      return found === "forged" ? undefined : found;
    },
    copy: (runId) => copies.read(runId),
    doubt(runId): RunDoubt | undefined {
      const found = signed(runId);
      const copy = copies.read(runId);
      if (found === "forged")
        return {
          kind: "forged",
          what: `the signature of run ${runId} does not hold`,
          remedy: "start a new run with: interlock kit, and look at: interlock verify",
        };
      if (!found)
        return copy
          ? {
              kind: "unsigned",
              what: `run ${runId} has no signed record: interlock kit did not start it here`,
              remedy: "start a run with: interlock kit <kit> <phase>",
            }
          : undefined;
      if (copy && canonical(copy) === canonical(found)) return undefined;
      return {
        kind: "altered",
        what: `runs/${runId}/run.json is not what was signed`,
        remedy: `write it anew: interlock run restore ${runId}`,
      };
    },
    write(record) {
      announce(record);
      const secret = key();
      if (!secret) throw new RunError("there is no key to sign the run with", "find out why: interlock doctor");
      const body = canonical(record);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFile(fileOf(record.run_id), `${signatureOf(secret, body)}\n${body}`);
      copies.write(record);
    },
    restore(runId) {
      const found = signed(runId);
      if (!found || found === "forged") return false;
      copies.write(found);
      return true;
    },
  };
}

const signatureOf = (key: Buffer, body: string): string =>
  createHmac("sha256", key).update("interlock-run\n").update(body).digest("hex");

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
