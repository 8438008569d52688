// What the user consented to: hashes of a project's files that may loosen their settings, each in exactly one form.
import { createHash } from "node:crypto";
import { readBoundedText } from "./bounded-read.js";

const largest = 4 * 1024 * 1024;

export const consentHash = (text: string): string => createHash("sha256").update(text).digest("hex");

export function consents(file: string): string[] {
  try {
    const list: unknown = JSON.parse(readBoundedText(file, largest));
    return Array.isArray(list) ? list.filter((x): x is string => typeof x === "string") : [];
  } catch {
    // No consent file, or an unreadable one: nothing was consented to.
    return [];
  }
}
