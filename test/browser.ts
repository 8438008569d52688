// A real Chromium for tests of pages: where it is, how it is started, and how readable a page is.
// Invariant: where it is missing its tests say so; under CI that is a failure.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const clients = (await import(pathToFileURL(join(process.cwd(), "scripts/clients.mjs")).href)) as {
  chromiumBinary(): string | undefined;
};
const binary = clients.chromiumBinary();
const missing = binary ? false : "Chromium is not installed: node scripts/clients.mjs chromium";
if (missing && process.env["CI"] === "true") throw new Error(missing);
export const needsBrowser = { skip: missing, timeout: 300_000 };
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: binary as string, args: ["--no-sandbox"] });

/** The least contrast of text against what lies behind it, by WCAG's formula. */
export const leastContrast = (page: Page): Promise<{ ratio: number; text: string }> =>
  page.evaluate(`(() => {
    const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
    const light = (c) => {
      const part = (s) => (s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4);
      const [r, g, b] = rgb(c).map((v) => part(v / 255));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (e) => {
      for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor;
        if (rgb(c)[3] !== 0) return c;
      }
      return "rgb(255, 255, 255)";
    };
    let least = { ratio: 99, text: "" };
    const written = "h1, h2, h3, p, td, th, dt, dd, li, span, a, b, small, strong, button, text";
    for (const e of document.querySelectorAll(written)) {
      if (!e.textContent.trim() || e.disabled || !e.getClientRects().length) continue;
      const s = getComputedStyle(e);
      const [a, b] = [light(e.localName === "text" ? s.fill : s.color), light(behind(e))].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < least.ratio) least = { ratio, text: e.textContent.slice(0, 60) };
    }
    return least;
  })()`);
