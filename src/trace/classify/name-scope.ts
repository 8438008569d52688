// Scopes and the names bound in them. Invariant: a name is resolved after the whole tree was walked, so a use before
// its declaration finds it too; a name nobody binds here is free and compared as it is spelled.

export interface Binding {
  name: string;
  scope: NameScope;
  /** Its name can be seen from outside this text, so it counts. */
  exact: boolean;
}

export interface NameScope {
  parent?: NameScope;
  kind: "top" | "function" | "parameters" | "block" | "class";
  names: Map<string, Binding>;
  /** All names in it and in the scopes inside count, as where `eval` could see them. */
  exact: boolean;
  /** Python: names that `global` and `nonlocal` take from elsewhere. */
  elsewhere?: Map<string, "global" | "nonlocal">;
  /** Python: the scope of a comprehension, which `:=` passes by. */
  comprehension?: boolean;
}

/** A name in the text: a use or a declaration. */
export interface Mention {
  name: string;
  scope: NameScope;
  /** `{a}` also is a key named a; `export {a}` also exports under that name. */
  also?: "key" | "export";
}

/** The mentions by their place in the text. */
export interface ResolvedNames {
  mentions: Map<number, Mention>;
  top: NameScope;
  resolve(mention: Mention): Binding | undefined;
}

export const newScope = (kind: NameScope["kind"], parent?: NameScope): NameScope => ({
  kind,
  names: new Map(),
  exact: false,
  ...(parent && { parent }),
});

export function bind(scope: NameScope, name: string, exact = false): Binding {
  const known = scope.names.get(name);
  if (known) {
    known.exact ||= exact;
    return known;
  }
  const binding = { name, scope, exact };
  scope.names.set(name, binding);
  return binding;
}

/** A plain script's top is exact for its own names only: what is inside its functions is local. */
export function isExact({ exact, scope }: Binding): boolean {
  if (exact || scope.exact) return true;
  for (let at = scope.parent; at; at = at.parent) if (at.exact && at.kind !== "top") return true;
  return false;
}
