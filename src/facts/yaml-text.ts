// YAML for the few hooks that need it: a part of its own, so that no other hook loads the parser.
// Invariant: aliases are refused, so that a small file cannot grow without bound.
import { parse } from "yaml";

export const parseYaml = (text: string): unknown => parse(text, { maxAliasCount: 0 });
