// The applications whose files are served, from the variable APPS:
//   { "notes": { "domains": ["dist.notes.example"], "prefix": "notes/" }, ... }
// Invariant: a request's host decides the application; a file outside its prefix can't be named.

export interface App {
  name: string;
  domains: string[];
  /** What the keys of its files in the bucket start with. */
  prefix: string;
}

export function readApps(value: unknown): App[] {
  let given = value;
  try {
    if (typeof value === "string") given = JSON.parse(value);
  } catch {
    // Text that is no JSON is told below, as every other wrong value.
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Error("APPS must be an object: { name: { domains: [host, ...], prefix?: text } }");
  return Object.entries(given).map(([name, app]: [string, Partial<App> | null]) => {
    const domains = app?.domains;
    if (!Array.isArray(domains) || !domains.length || !domains.every((host) => typeof host === "string"))
      throw new Error(`APPS.${name}.domains must be a list of host names`);
    const prefix = app?.prefix ?? "";
    if (typeof prefix !== "string") throw new Error(`APPS.${name}.prefix must be a text`);
    return { name, domains: domains.map((host) => host.toLowerCase()), prefix };
  });
}

export const appOfHost = (apps: readonly App[], host: string): App | undefined =>
  apps.find(({ domains }) => domains.includes(host.toLowerCase()));

/** The key of the file a path names; undefined when no file can have that name. */
export function keyOf(app: App, pathname: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const parts = path.replace(/^\//, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  if (/[\u0000-\u001f\u007f\\]/.test(path) || /%(?:2e|2f|5c|00)/i.test(path)) return undefined;
  const key = app.prefix + parts.join("/");
  return new TextEncoder().encode(key).length > 1024 ? undefined : key;
}
