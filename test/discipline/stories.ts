// For every gate of the pack one story: it is reached and refuses (or tells), its own remedy opens it, and it stays open or closes again as documented.
// Invariant: a story asserts through the door only; a gate without a story, or a story without one of its parts, fails the test beside it.
import { before } from "./stories/before.js";
import { content } from "./stories/content.js";
import { person } from "./stories/person.js";
import type { Story } from "./stories/story.js";
import { turn } from "./stories/turn.js";

export const stories: readonly Story[] = [...person, ...before, ...content, ...turn];
