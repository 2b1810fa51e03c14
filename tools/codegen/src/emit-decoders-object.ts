import { memberStatement } from "./emit-decoders-member.js";
import { checkForm, type DecoderModule, type Ending, type Form, pascal } from "./emit-decoders-module.js";
import { structForm } from "./emit-decoders-struct.js";
import { taggedStatements } from "./emit-decoders-tagged.js";
import { unionStatements } from "./emit-decoders-union.js";
import type { ObjectNode, Property } from "./ir.js";

/** Writes the function that checks an object with declared members. It ignores unknown ones, which are kept. */
export function objectForm(module: DecoderModule, node: ObjectNode, name: string): Form {
  const members = node.properties.map((property) => {
    const lenientItems = module.mode.recover && property.skipInvalidItems;
    const form = module.formOf(module, property.node, `${name}${pascal(property.name)}`, lenientItems);
    return { property, form };
  });
  // The number of earlier changes is needed only if the value of a member may be repaired.
  const tracks = members.some(({ form }) => form.kind === "call" && form.changes);
  const repairs = node.properties.some((property) => isLenient(property) || property.default !== undefined);
  const mayRepair = module.mode.recover && (repairs || tracks);
  if (!module.isHot) return structForm(module, node, members, name, mayRepair);
  const ending = flattenedEnding(module, node, name);
  const statements = members
    .map(({ property, form }) => memberStatement(module, property, form, tracks))
    .filter(Boolean);
  const check = module.write(`check${name}`, [
    `if (!${module.use("isObject")}(v)) return ${module.use("fail")}(run, v, "an object");`,
    ...(statements.some((statement) => /\bt\b/.test(statement)) ? ["let t: unknown;"] : []),
    ...(tracks ? ["let { n } = run;"] : []),
    ...statements,
    ...ending.statements,
  ]);
  return checkForm(check, "an object", mayRepair || (module.mode.recover && ending.changes));
}

function flattenedEnding(module: DecoderModule, { flattened }: ObjectNode, name: string): Ending {
  if (flattened === undefined) return { statements: ["return true;"], changes: false };
  if (flattened.kind === "tagged") return taggedStatements(module, flattened, name);
  if (flattened.kind === "union") return unionStatements(module, flattened, name);
  const form = module.definition(flattened.name);
  if (form.kind !== "call")
    throw new Error(`${module.ir.id}: ${name} flattens ${flattened.name}, which is not an object`);
  return { statements: [`return ${form.holds("v")};`], changes: form.changes };
}

function isLenient({ defaultOnError, defaultOnNull, skipInvalidItems }: Property): boolean {
  return defaultOnError || defaultOnNull || skipInvalidItems;
}
