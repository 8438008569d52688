// Dark or light: the system's choice unless the reader made one.
export type Theme = "system" | "light" | "dark";
const key = "interlock-theme";

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // no storage here
  }
}

const system = matchMedia("(prefers-color-scheme: dark)");
system.addEventListener("change", () => applyTheme());

/** The style knows dark and light alone. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  document.documentElement.dataset["theme"] = isDark(theme) ? "dark" : "light";
  try {
    localStorage.setItem(key, theme);
  } catch {
    // it holds for this page alone
  }
  dispatchEvent(new Event("interlock-theme"));
}

export const isDark = (theme: Theme = chosenTheme()): boolean =>
  theme === "dark" || (theme === "system" && system.matches);
