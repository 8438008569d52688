// Safemode: a person stops every change in the project until they allow changes again.
// Invariant: only a person's typed command or terminal switches it.
import { at, memory, type StateSpec } from "../../../model/gate.js";

export interface SafemodeState {
  on: boolean;
  since: number;
}

export const safemodeState: StateSpec<SafemodeState> = { scope: "project", initial: { on: false, since: 0 } };

export const safemodeMemory = memory<SafemodeState>({
  id: "discipline/safe",
  on: at("prompt"),
  state: safemodeState,
  learn({ facts, state, now }) {
    const command = facts.prompt?.command;
    if (command === "safemode.on" && !state.value.on) state.update(() => ({ on: true, since: now }));
    if (command === "safemode.off" && state.value.on) state.update(() => ({ on: false, since: now }));
  },
});
