import { isObject } from "./json.js";
import type { Branch, ScalarBranch, Shape } from "./shape.js";

/** Returns the branches of `anyOf` or `oneOf`. Nested unions are flattened, and constants of one type become an enum. */
export function unionBranches(elements: readonly Shape[], keyword: Shape["keyword"]): readonly Branch[] {
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
  return dropDuplicates(gatherScalars(branches, keyword));
}

/**
 * Combines `const a`, `const b` and a last branch `string` into one open enum. The description of the catch-all ("other") is dropped, because it
 * does not describe a value.
 */
function gatherScalars(branches: readonly Branch[], keyword: Shape["keyword"]): readonly Branch[] {
  const gathered = new Map<string, ScalarBranch>();
  const result: Branch[] = [];
  for (const branch of branches) {
    if (!isScalar(branch)) {
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
  const constants = new Set(branches.flatMap((branch) => (isConstants(branch) ? [branch.kind] : [])));
  const catchAlls = new Set(branches.flatMap((branch) => (isCatchAll(branch) ? [branch.kind] : [])));
  return result.map((branch) =>
    isScalar(branch) && constants.has(branch.kind) && catchAlls.has(branch.kind)
      ? besideCatchAll(branch, keyword)
      : branch,
  );
}

const isScalar = (branch: Branch): branch is ScalarBranch =>
  branch.kind === "string" || branch.kind === "integer" || branch.kind === "number";
const isConstants = (branch: Branch): branch is ScalarBranch => isScalar(branch) && branch.rest === undefined;
const isCatchAll = (branch: Branch): branch is ScalarBranch =>
  isScalar(branch) && branch.rest !== undefined && branch.values.size === 0;

/**
 * Returns the enum for constants beside a catch-all. If the catch-all excludes exactly these constants, the exclusion changes nothing. If it
 * excludes none, they match two alternatives: `anyOf` accepts them, and `oneOf` does not. The constants stay in `values`, because the schema
 * names them.
 */
function besideCatchAll(branch: ScalarBranch, keyword: Shape["keyword"]): ScalarBranch {
  const { values, rest = new Map<string, unknown>() } = branch;
  if (!rest.has("not")) {
    if (keyword === "anyOf" || rest.size > 0) return branch;
    return { ...branch, rest: new Map([["not", { enum: [...values.keys()] }]]) };
  }
  const excluded = constantsIn(rest.get("not"));
  if (excluded === undefined || !excluded.every((one) => values.has(one as string))) return branch;
  return { ...branch, rest: new Map([...rest].filter(([name]) => name !== "not")) };
}

/** Returns the constants that a schema lists, or `undefined` if it has another form. */
function constantsIn(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if ("const" in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf.map(constantsIn) : [undefined];
  return alternatives.every((one) => one !== undefined) ? alternatives.flat() : undefined;
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
