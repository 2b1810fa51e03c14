/** The maximum nesting: ten times that of the protocol's schemas, and below a stack overflow. */
const mostLevels = 200;
const mostReferences = 400;

/**
 * Refuses a document that is nested too deep for the recursive parts of the tools. The check is
 * iterative, and its time is linear in the size of the document.
 *
 * @throws {Error} that names the place.
 */
export function checkNesting(document: unknown): void {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: document, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    if (next.depth > mostLevels) throw new Error(`it nests deeper than ${mostLevels} levels`);
    for (const value of Object.values(next.value)) stack.push({ value, depth: next.depth + 1 });
  }
}

/**
 * Refuses definitions that contain themselves, and chains of references that are too long for a recursive function.
 *
 * @param references - a definition's name → the names that it refers to.
 * @throws {Error} with the cycle, or with the two ends of the chain.
 */
export function checkReferences(references: ReadonlyMap<string, readonly string[]>): void {
  const lengths = new Map<string, number>();
  for (const root of references.keys()) {
    const path: { readonly name: string; readonly rest: string[] }[] = [];
    const onPath = new Set<string>();
    const enter = (name: string): void => {
      path.push({ name, rest: [...(references.get(name) ?? [])] });
      onPath.add(name);
    };
    if (!lengths.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        const below = (references.get(top.name) ?? []).map((name) => lengths.get(name) ?? 0);
        lengths.set(top.name, 1 + below.reduce((most, length) => Math.max(most, length), 0));
        onPath.delete(top.name);
        path.pop();
      } else if (onPath.has(next)) {
        const names = path.map(({ name }) => name);
        throw new Error(
          `a definition contains itself: ${[...names.slice(names.indexOf(next)), next].map(short).join(" → ")}`,
        );
      } else if (!lengths.has(next)) enter(next);
    }
    const length = lengths.get(root) ?? 0;
    if (length > mostReferences)
      throw new Error(`"${short(root)}" leads through ${length} references; the tools follow ${mostReferences}`);
  }
}

/** Returns the names that a schema refers to. */
export function referencesIn(schema: unknown): string[] {
  const names = new Set<string>();
  const stack: unknown[] = [schema];
  for (let value = stack.pop(); stack.length > 0 || value !== undefined; value = stack.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const name = key === "$ref" && typeof inner === "string" ? definitionName(inner) : undefined;
      if (name === undefined) stack.push(inner);
      else names.add(name);
    }
  }
  return [...names];
}

function definitionName(reference: string): string | undefined {
  for (const prefix of ["#/$defs/", "#/definitions/"])
    if (reference.startsWith(prefix)) return reference.slice(prefix.length);
  return undefined;
}

function short(name: string): string {
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}
