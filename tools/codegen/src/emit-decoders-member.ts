import { type DecoderModule, type Form, member } from "./emit-decoders-module.js";
import type { Property } from "./ir.js";

/** The parts of the statements that check one member. */
interface Writing {
  readonly module: DecoderModule;
  readonly property: Property;
  /** Whether the generated function stores the number of changes in the variable `n`. */
  readonly tracks: boolean;
  readonly key: string;
  /** The expected value as a string literal, for messages. */
  readonly expected: string;
}

/** Returns the statement, maybe empty, that checks the member `v.x` and, in a tolerant module, repairs it. */
export function memberStatement(module: DecoderModule, property: Property, form: Form, tracks: boolean): string {
  const access = member("v", property.name);
  const key = JSON.stringify(property.name);
  if (form.kind === "any") {
    const writing = { module, property, tracks, key, expected: `"present"` };
    if (module.mode.recover && property.default !== undefined) return `if (${access} === undefined) ${fill(writing)}`;
    return property.required ? `if (${access} === undefined) ${refuse(writing)}` : "";
  }
  const expected = JSON.stringify(form.nullable ? `${form.expected} or null` : form.expected);
  const writing = { module, property, tracks, key, expected };
  const lenient = module.mode.recover && property.defaultOnError;
  if (form.kind === "test" && property.required && !form.nullable && !lenient && !property.defaultOnNull) {
    return `if (${form.fails(access)}) ${refuse(writing)}`;
  }
  const branches = [
    ...(module.mode.recover && property.defaultOnNull ? [`if (t === null) ${empty(writing)}`] : []),
    lenient ? lenientBranches(writing, form) : strictBranches(writing, form),
  ];
  return `t = ${access};\n${branches.join("\nelse ")}`;
}

/** Returns the statement for a member without recovery: a malformed value is an error. */
function strictBranches(writing: Writing, form: Exclude<Form, { kind: "any" }>): string {
  const { module, property, tracks, key } = writing;
  const filled = module.mode.recover && property.default !== undefined;
  const condition = guarded(form, !property.required && !filled, tracks);
  const orFill = filled ? `if (t === undefined) ${fill(writing)}\nelse ` : "";
  if (form.kind === "test") return `${orFill}if (${condition}) ${refuse(writing)}`;
  return form.changes && tracks
    ? `${orFill}if (${condition} && (n = ${module.use("within")}(run, ${key}, n)) < 0) return false;`
    : `${orFill}if (${condition}) return ${module.use("inside")}(run, ${key});`;
}

/** The statement for `x-deserialize-default-on-error`: replaces a malformed value, not a missing one. */
function lenientBranches(writing: Writing, form: Exclude<Form, { kind: "any" }>): string {
  const { module, property, tracks, key, expected } = writing;
  const fallback = fallbackOf(module, property);
  const more = fallback === undefined ? "" : `, ${fallback}`;
  const repair =
    form.kind === "test"
      ? `${module.use("replace")}(run, v, ${key}, ${expected}${more});`
      : `${module.use("mend")}(run, v, ${key}, ${tracks ? "n" : "run.n"}${more});`;
  const filled = property.default !== undefined;
  const condition = guarded(form, !property.required && !filled, tracks);
  // The condition is also true for `undefined`. The repair functions distinguish an absent member from a malformed
  // value.
  const orAbsent = filled && !(form.kind === "test" && !form.nullable) ? "t === undefined || " : "";
  const orRefuse = property.required ? `if (t === undefined) ${refuse(writing)}\nelse ` : "";
  const grouped = orAbsent !== "" && form.nullable ? `(${condition})` : condition;
  return `${orRefuse}if (${orAbsent}${grouped}) ${tracks ? "n = " : ""}${repair}`;
}

/** Returns the condition for a malformed `t`. An optional member may be absent, a nullable one `null`. */
function guarded(form: Exclude<Form, { kind: "any" }>, optional: boolean, tracks: boolean): string {
  const malformed =
    form.kind === "test"
      ? form.fails("t")
      : form.changes && tracks
        ? `!(${form.holds("t")} && run.n === n)`
        : `!${form.holds("t")}`;
  if (optional) return `t ${form.nullable ? "!= null" : "!== undefined"} && ${malformed}`;
  return form.nullable ? `t !== null && ${malformed}` : malformed;
}

function refuse({ module, key, expected }: Writing): string {
  return `return ${module.use("failAt")}(run, v, ${key}, ${expected});`;
}

function fill({ module, property, tracks, key }: Writing): string {
  return `${tracks ? "n = " : ""}${module.use("fill")}(run, v, ${key}, ${JSON.stringify(property.default?.value)});`;
}

function empty({ module, property, tracks, key, expected }: Writing): string {
  return `${tracks ? "n = " : ""}${module.use("replace")}(run, v, ${key}, ${expected}, ${emptyOf(module, property)});`;
}

/** Returns the empty value for `x-deserialize-default-on-null`: `null` is decoded as this value. */
export function emptyOf({ ir }: DecoderModule, { name, node: { kind } }: Property): string {
  const value = kind === "array" ? "[]" : kind === "record" || kind === "object" ? "{}" : undefined;
  if (value === undefined)
    throw new Error(`${ir.id}: "${name}" is x-deserialize-default-on-null, but ${kind} has no empty value`);
  return value;
}

/** Returns the replacement of a malformed value: the default, an empty list, or nothing. */
export function fallbackOf(module: DecoderModule, { name, node, required, ...property }: Property): string | undefined {
  if (property.default !== undefined) return JSON.stringify(property.default.value);
  if (node.kind === "array") return "[]";
  if (!required) return undefined;
  throw new Error(`${module.ir.id}: "${name}" is required and x-deserialize-default-on-error, but has no default`);
}
