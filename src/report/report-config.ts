// The configuration of reports: report.yaml. Every source is optional; without one its section says so.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import * as v from "valibot";
import { readYamlSource } from "../config/compile.js";
import { readBoundedText } from "../project/bounded-read.js";

const address = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be an http or https address"),
);
const repository = v.pipe(v.string(), v.regex(/^[\w.-]+\/[\w.-]+$/, "must be owner/name"));

const schema = v.strictObject({
  title: v.optional(v.string(), "Daily report"),
  out: v.optional(v.string(), "outputs"),
  keys: v.optional(v.string()),
  timeout: v.optional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(30)), 30),
  downloads: v.optional(
    v.strictObject({
      url: address,
      days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3660)), 7),
    }),
  ),
  revenue: v.optional(
    v.strictObject({
      lemonsqueezy: v.optional(v.strictObject({ api: v.optional(address, "https://api.lemonsqueezy.com") })),
      sponsors: v.optional(v.strictObject({ login: v.string(), api: v.optional(address, "https://api.github.com") })),
    }),
  ),
  traffic: v.optional(
    v.strictObject({
      zones: v.array(v.strictObject({ name: v.string(), id: v.string() })),
      api: v.optional(address, "https://api.cloudflare.com"),
    }),
  ),
  github: v.optional(
    v.strictObject({ repos: v.array(repository), api: v.optional(address, "https://api.github.com") }),
  ),
  customers: v.optional(
    v.strictObject({
      emails: v.optional(v.strictObject({ api: v.optional(address, "https://api.resend.com") })),
      bugs: v.optional(
        v.strictObject({
          repos: v.array(repository),
          labels: v.optional(v.array(v.string()), ["bug", "priority: high"]),
          api: v.optional(address, "https://api.github.com"),
        }),
      ),
    }),
  ),
  health: v.optional(v.array(v.strictObject({ name: v.string(), url: address }))),
  git: v.optional(v.array(v.string())),
  summary: v.optional(v.strictObject({ command: v.pipe(v.array(v.string()), v.minLength(1)) })),
});

export type ReportConfig = v.InferOutput<typeof schema>;

export class ReportConfigError extends Error {}

export const defaultReportConfig = (env: NodeJS.ProcessEnv): string =>
  join(env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config"), "interlock", "report.yaml");

/** Reads and checks a file; paths in it are meant from its folder, `~` is the home folder. */
export function readReportConfig(file: string, env: NodeJS.ProcessEnv): ReportConfig {
  let text: string;
  try {
    text = readBoundedText(file, 512 * 1024);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no configuration" : String(error);
    throw new ReportConfigError(
      `${file}: ${why}. Write one (docs/report.md has an example) or name another: --config <file>`,
    );
  }
  const problems: string[] = [];
  const given = readYamlSource({ name: file, text }, schema, problems);
  if (problems.length) throw new ReportConfigError(problems.join("\n"));
  const config = v.parse(schema, given);
  const absolute = (path: string): string => {
    const home = env["HOME"] || homedir();
    const expanded = path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path;
    return isAbsolute(expanded) ? expanded : resolve(file, "..", expanded);
  };
  return {
    ...config,
    out: absolute(config.out),
    keys: config.keys === undefined ? undefined : absolute(config.keys),
    git: config.git?.map(absolute),
  };
}
