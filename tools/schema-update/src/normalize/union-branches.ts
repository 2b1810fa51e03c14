import type { Branch, ScalarBranch, Shape } from "./shape.js";

/** Returns the branches of `anyOf` or `oneOf`. Nested unions are flattened, and constants of one type become an enum. */
export function unionBranches(elements: readonly Shape[]): readonly Branch[] {
  const branches = elements.flatMap((element): readonly Branch[] => {
    const [only, ...more] = element.branches;
    if (only === undefined || more.length > 0) return element.branches;
    return [
      {
        ...only,
        doc: element.doc ?? only.doc,
        title: element.title ?? only.title,
        notes: new Map([...(only.notes ?? []), ...element.notes]),
      },
    ];
  });
  return dropDuplicates(gatherScalars(branches));
}

/**
 * Combines `const a`, `const b` and a last branch `string` into one open enum. The description of the catch-all ("other") is dropped, because it
 * does not describe a value.
 */
function gatherScalars(branches: readonly Branch[]): readonly Branch[] {
  const gathered = new Map<string, ScalarBranch>();
  const result: Branch[] = [];
  for (const branch of branches) {
    if (branch.kind !== "string" && branch.kind !== "integer" && branch.kind !== "number") {
      result.push(branch);
      continue;
    }
    const known = gathered.get(branch.kind);
    // Branches of one type with different constraints remain separate.
    if (known !== undefined && known.rest !== undefined && branch.rest !== undefined) {
      result.push(branch);
      continue;
    }
    const merged: ScalarBranch = {
      kind: branch.kind,
      values: new Map([...(known?.values ?? []), ...branch.values]),
      rest: known?.rest ?? branch.rest,
      // The description is that of the type, not that of one constant.
      doc: branch.values.size === 0 ? (branch.doc ?? known?.doc) : known?.doc,
      title: branch.values.size === 0 ? (branch.title ?? known?.title) : known?.title,
      notes: known?.notes ?? branch.notes,
    };
    if (known === undefined) result.push(merged);
    else result[result.indexOf(known)] = merged;
    gathered.set(branch.kind, merged);
  }
  return result;
}

function dropDuplicates(branches: readonly Branch[]): readonly Branch[] {
  const seen = new Set<string>();
  return branches.filter((branch) => {
    const key =
      branch.kind === "ref"
        ? `ref ${branch.name}`
        : branch.kind === "null" || branch.kind === "any"
          ? branch.kind
          : undefined;
    if (key === undefined) return true;
    return seen.has(key) ? false : seen.add(key);
  });
}
