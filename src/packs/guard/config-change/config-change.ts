// Refuses a settings reload that would switch Interlock off, so that the loaded hooks stay in force.
import { at, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";

export const configChange = gate({
  id: "guard/config-change",
  title: "Settings that would disarm Interlock are not loaded",
  about:
    "When the host is about to reload a settings file, refuses the reload if the file switches hooks off, has lost " +
    "Interlock's entries, or holds an entry that makes the host drop the file.",
  remedy: "Ask the user to repair the file (`interlock doctor --fix`) or to run `interlock uninstall`.",
  on: at("config.change"),
  onError: "deny",
  protecting: true,
  judge({ facts, event }) {
    const why = facts.disarmed;
    if (!why) return;
    return deny({
      what: `loading of ${inert(event.config?.path ?? event.config?.source ?? "changed settings", 110)}`,
      why,
      next: "ask the user to run `interlock doctor --fix`; the hooks loaded before stay in force",
      overridable: false,
    });
  },
});
