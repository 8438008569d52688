// A home with a configured report, and the built program run in it.
// Invariant: the environment is clean; keys are made up.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mood, type Services, scriptedServices } from "./scripted-services.js";

const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
export const titles = [
  "Executive Summary",
  "Revenue",
  "Downloads",
  "Website Traffic",
  "GitHub",
  "Customer Intel",
  "Health",
  "Git Status",
];
export const keyNames = [
  "GITHUB_TOKEN",
  "LEMONSQUEEZY_API_KEY",
  "CLOUDFLARE_API_TOKEN",
  "RESEND_API_KEY",
  "DIST_ANALYTICS_KEY",
];

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

export function interlock(home: string, args: string[], env: Record<string, string> = {}): Promise<Said> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (part) => (out += part));
  child.stderr.on("data", (part) => (err += part));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

/** A home with a key file and a configuration of every source at one address. */
export function workplace(url: string, more: Record<string, unknown> = {}): string {
  const home = mkdtempSync(join(tmpdir(), "interlock-report-"));
  const keys = join(home, "keys.env");
  writeFileSync(keys, keyNames.map((name) => `${name}="key-of-${name}"`).join("\n"), { mode: 0o600 });
  const repository = join(home, "notes");
  execFileSync("git", ["init", "-q", repository]);
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  execFileSync("git", ["-C", repository, ...who, "commit", "-q", "--allow-empty", "-m", "x"]);
  writeFileSync(join(repository, "new.txt"), "x");
  const config = {
    out: "outputs",
    keys: "keys.env",
    downloads: { url },
    revenue: { lemonsqueezy: { api: url }, sponsors: { login: "acme", api: url } },
    traffic: { zones: [{ name: "notes.example", id: "z1" }], api: url },
    github: { repos: ["acme/notes"], api: url },
    customers: { emails: { api: url }, bugs: { repos: ["acme/notes"], api: url } },
    health: [{ name: "counter", url: `${url}/health` }],
    git: ["notes"],
    ...more,
  };
  writeFileSync(join(home, "report.yaml"), JSON.stringify(config));
  return home;
}

export const withServices = async (mood: Mood, use: (services: Services) => Promise<void>): Promise<void> => {
  const services = await scriptedServices(mood);
  try {
    await use(services);
  } finally {
    services.close();
  }
};
export const reportOf = (home: string): string => readFileSync(join(home, "outputs/daily_report.md"), "utf8");
export const headings = (text: string): string[] => [...text.matchAll(/^## \d\. (.*)$/gm)].map((match) => match[1]!);
