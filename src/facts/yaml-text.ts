// YAML for the few hooks that need it: a part of its own, so that no other hook loads the parser.
// Invariant: the number of aliases is limited, so that a small file cannot grow without bound.
import { parse } from "yaml";

export const parseYaml = (text: string): unknown => parse(text, { maxAliasCount: 50 });
