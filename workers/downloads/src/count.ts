// Counts a download in D1: one row per application, version, mode, source and day (UTC).
// Invariant: no personal data is kept, and no failure of the count reaches the download.
import type { Database } from "./cloudflare.js";

export interface Download {
  app: string;
  version: string;
  /** `update` for files below updates/, which update checkers fetch; else `download`. */
  mode: "update" | "download";
  source: "sparkle" | "homebrew" | "website" | "unknown";
  date: string;
}

export function describeDownload(app: string, path: string, userAgent: string | null, now: Date): Download {
  return {
    app,
    version: versionOf(path),
    mode: /(?:^|\/)updates\//.test(path) ? "update" : "download",
    source: sourceOf(userAgent),
    date: now.toISOString().slice(0, 10),
  };
}

/** `Notes-1.4.2.dmg`, `notes_v2.0.0-beta.1.zip` */
function versionOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  return (
    /(?:^|[-_ ])v?(\d+(?:\.\d+)+(?:-[0-9A-Za-z.]+?)?)(?=[-_.][A-Za-z]|$)/.exec(name)?.[1]?.slice(0, 40) ?? "unknown"
  );
}

function sourceOf(userAgent: string | null): Download["source"] {
  if (!userAgent?.trim()) return "unknown";
  // Sparkle names the application first: "Notes/1.4 Sparkle/2.6.0".
  if (/\bSparkle\//.test(userAgent)) return "sparkle";
  return /\bHomebrew\//.test(userAgent) ? "homebrew" : "website";
}

const upsert = `INSERT INTO downloads (app, version, mode, source, date, count) VALUES (?, ?, ?, ?, ?, 1)
  ON CONFLICT (app, version, mode, source, date) DO UPDATE SET count = count + 1`;

export async function logDownload(db: Database, download: Download): Promise<void> {
  try {
    const { app, version, mode, source, date } = download;
    await db.prepare(upsert).bind(app, version, mode, source, date).run();
  } catch {
    // A count that fails is lost; the download is not.
  }
}
