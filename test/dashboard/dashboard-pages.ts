// What the dashboard's tests share: a demo project, the program as a person starts it, pages that collect trouble.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";

export const program = join(process.cwd(), "dist/interlock.cjs");

export interface DemoProject {
  project: string;
  env: Record<string, string>;
  /** One event through the real program. */
  hook(
    event: string,
    payload: object,
  ): { hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string } };
}

/** The demo's session, played through the hooks that `init` registered. The folder is the caller's to remove. */
export function playDemo(): DemoProject {
  const { stdout, stderr } = spawnSync(process.execPath, ["scripts/demo.mjs", "--keep"], {
    env: { PATH: process.env["PATH"], INTERLOCK_BUILT: "1" },
    encoding: "utf8",
  });
  const project = /kept in:\s+(\S+)/.exec(stdout)?.[1];
  if (!project) throw new Error(`the demo failed: ${stderr}`);
  const home = join(project, "../home");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    INTERLOCK_SERVER: "off",
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
  };
  return {
    project,
    env,
    hook(event, payload) {
      const input = JSON.stringify({ session_id: "demo", cwd: project, hook_event_name: event, ...payload });
      const args = [program, "hook", "claude-code", "--event", event];
      const options = { cwd: project, env: { ...env, CLAUDE_PROJECT_DIR: project }, input, encoding: "utf8" } as const;
      return JSON.parse(spawnSync(process.execPath, args, options).stdout || "{}");
    },
  };
}

/** Starts `interlock dashboard --no-open ...` and returns its link. */
export async function startDashboard(
  cwd: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<{ link: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [program, "dashboard", "--no-open", ...args], { cwd, env, stdio: "pipe" });
  let [out, talk] = ["", ""];
  child.stderr!.on("data", (text) => (talk += text));
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", (text) => {
      out += text;
      if (out.includes("\n")) resolve(out.trim());
    });
    child.on("exit", (code) => reject(new Error(`it ended with ${code}: ${talk}`)));
  });
  return { link, child };
}

export interface Watched {
  page: Page;
  trouble: string[];
}

/** A page that collects everything that should not happen. */
export async function watchedPage(context: BrowserContext, link: string): Promise<Watched> {
  const page = await context.newPage();
  const trouble: string[] = [];
  const { origin } = new URL(link);
  page.on("console", (message) => trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) trouble.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, trouble };
}

/** Keeps a picture of the page, where INTERLOCK_SCREENSHOTS names a folder for them. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env["INTERLOCK_SCREENSHOTS"];
  if (folder) await page.screenshot({ path: join(folder, `dashboard-${name}.png`) });
}

/** Texts that cover each other or stick out, and a page too wide. */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = [];
    const seen = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      if (!node.data.trim()) continue;
      const parent = node.parentElement;
      if (parent.closest("title, option, noscript, .skip, details:not([open]) > :not(summary), .virtual")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects())
        if (box.width > 1 && box.height > 1) seen.push([node.data.trim().slice(0, 40), box, parent]);
    }
    for (const [i, [a, p, e]] of seen.entries())
      for (const [b, q, f] of seen.slice(i + 1)) {
        if (e === f) continue;
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 2 && high > 6) found.push(a + " | covers | " + b);
      }
    const root = document.scrollingElement;
    if (root.scrollWidth > root.clientWidth + 1) found.push("the page scrolls sideways");
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    if (new Set(ids).size !== ids.length) found.push("an id twice");
    return found.slice(0, 10);
  })()`);
