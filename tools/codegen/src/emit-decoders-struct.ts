import { emptyOf, fallbackOf } from "./emit-decoders-member.js";
import { checkForm, type DecoderModule, type Form, literal, pascal } from "./emit-decoders-module.js";
import { taggedData, taggedStatements } from "./emit-decoders-tagged.js";
import { unionStatements } from "./emit-decoders-union.js";
import type { ObjectNode, Property } from "./ir.js";

/** A member and the check of its value. */
export interface MemberForm {
  readonly property: Property;
  readonly form: Form;
}

/** Writes the check of an object as data for the runtime's `struct`. */
export function structForm(
  module: DecoderModule,
  node: ObjectNode,
  members: readonly MemberForm[],
  name: string,
  mayRepair: boolean,
): Form {
  const required: Entry[] = [];
  const loose: Entry[] = [];
  const others: Entry[] = [];
  for (const { property, form } of members) {
    const rules = rulesOf(module, property, form);
    if (rules === undefined) continue;
    const value = formData(module, form, `${name}${pascal(property.name)}`);
    const fallback = fallbackData(module, property, form);
    if (rules.length === 0) required.push([property.name, value]);
    else if (rules.join() === "optional,nullable,mended" && fallback === undefined) loose.push([property.name, value]);
    else {
      // One number, because bundlers assume that `a | b` may have a side effect, and would keep unused checks.
      const rule = `/* ${rules.join(", ")} */ ${rules.reduce((sum, one) => sum + ruleBits[one], 0)}`;
      others.push([property.name, `[${rule}, ${value}${fallback === undefined ? "" : `, ${fallback}`}]`]);
    }
  }
  const ending = endingCheck(module, node, name);
  const values = [required, loose, others].map(literal);
  if (ending !== undefined) values.push(ending.check);
  while (values.length > 1 && values.at(-1) === "{}") values.pop();
  const check = module.data(`check${name}`, "struct", values);
  return checkForm(check, "an object", mayRepair || (module.mode.recover && ending?.changes === true));
}

type Entry = readonly [key: string, value: string];

/** The bit of each rule, as the runtime defines it. */
const ruleBits = { optional: 1, nullable: 2, mended: 4, emptied: 8, filled: 16 } as const;
type Rule = keyof typeof ruleBits;

/** Returns the runtime's rules for a member; `undefined` if there is nothing to check or repair. */
function rulesOf({ mode }: DecoderModule, property: Property, form: Form): Rule[] | undefined {
  const { required, defaultOnError, defaultOnNull } = property;
  const filled = mode.recover && property.default !== undefined;
  if (form.kind === "any") return filled ? ["filled"] : required ? [] : undefined;
  return [
    ...(required || filled ? [] : ["optional" as const]),
    ...(form.nullable ? ["nullable" as const] : []),
    ...(mode.recover && defaultOnError ? ["mended" as const] : []),
    ...(mode.recover && defaultOnNull ? ["emptied" as const] : []),
    ...(filled ? ["filled" as const] : []),
  ];
}

function formData(module: DecoderModule, form: Form, name: string): string {
  if (form.kind === "any") {
    return module.test({
      kind: "test",
      holds: (v) => `${v} !== undefined`,
      fails: String,
      nullable: false,
      expected: "present",
    });
  }
  if (form.kind === "test") return module.test(form);
  return form.list === undefined
    ? module.asCheck({ ...form, nullable: false }, name)
    : `[${form.list.runtime}, ${form.list.item}]`;
}

/**
 * Returns the replacement of a value. An object is created for each use. An empty list is not written, because the
 * runtime replaces lists itself.
 */
function fallbackData(module: DecoderModule, property: Property, form: Form): string | undefined {
  const { mode } = module;
  if (mode.recover && property.defaultOnNull) emptyOf(module, property);
  if (!mode.recover || (!property.defaultOnError && property.default === undefined)) return undefined;
  const fallback = fallbackOf(module, property);
  if (fallback === "[]" && form.kind === "call" && form.list !== undefined && !form.nullable) return undefined;
  return fallback !== undefined && /^[[{]/.test(fallback) ? `() => (${fallback})` : fallback;
}

/** Returns the check of the union that is flattened into the object. */
function endingCheck(
  module: DecoderModule,
  { flattened }: ObjectNode,
  name: string,
): { check: string; changes: boolean } | undefined {
  if (flattened === undefined) return undefined;
  const own = `${name}Rest`;
  if (flattened.kind === "ref") {
    const form = module.definition(flattened.name);
    if (form.kind !== "call")
      throw new Error(`${module.ir.id}: ${name} flattens ${flattened.name}, which is not an object`);
    return { check: module.asCheck(form, own), changes: form.changes };
  }
  const data = flattened.kind === "tagged" ? taggedData(module, flattened, own, name) : undefined;
  if (data !== undefined) return data;
  const { statements, changes } =
    flattened.kind === "tagged" ? taggedStatements(module, flattened, name) : unionStatements(module, flattened, name);
  const guard = `if (!${module.use("isObject")}(v)) return ${module.use("fail")}(run, v, "an object");`;
  const isTagged = flattened.kind === "tagged";
  return { check: module.write(`check${own}`, isTagged ? [guard, ...statements] : statements), changes };
}
