import { checkForm, type DecoderModule, type Form } from "./emit-decoders-module.js";
import type { EnumNode, Node, NumberNode, StringNode } from "./ir.js";
import { numberBounds } from "./number-bounds.js";

/** Returns the form of a value that is neither an object nor an array. */
export function scalarForm(module: DecoderModule, node: Node, name: string): Form {
  switch (node.kind) {
    case "null":
      return compared((value, is) => `${value} ${is} null`, "null");
    case "boolean":
      return compared((value, is) => `typeof ${value} ${is} "boolean"`, "a boolean");
    case "const":
      return oneOf([node.value]);
    case "enum":
      return enumForm(module, node, name);
    case "string":
      return stringForm(module, node);
    case "number":
    case "integer":
      return numberForm(module, node);
    default:
      throw new Error(`${module.ir.id}: ${name} is not a scalar but ${node.kind}`);
  }
}

function enumForm(module: DecoderModule, { open, base, members }: EnumNode, name: string): Form {
  const values = members.map(({ value }) => value);
  if (open === undefined) return values.length > 1 ? enumCheck(module, values, name) : oneOf(values);
  // Every value of the base type is valid, so the known values do not matter.
  return base === "string"
    ? compared(isString, "a string")
    : numberForm(module, { kind: "integer", format: open.format, minimum: undefined, maximum: undefined });
}

function enumCheck(module: DecoderModule, values: readonly (string | number)[], name: string): Form {
  const literals = values.map((value) => JSON.stringify(value));
  if (!module.isHot) {
    const data = module.data(`check${name}`, "oneOf", literals);
    return checkForm(data, "one of several values", false);
  }
  const check = module.write(`check${name}`, [
    `switch (v) {\n${literals.map((literal) => `  case ${literal}:\n`).join("")}    return true;\n}`,
    `return ${module.use("failOneOf")}(run, v, ${JSON.stringify(literals.join(", "))});`,
  ]);
  return checkForm(check, "one of several values", false);
}

function oneOf(values: readonly (string | number)[]): Form {
  const literals = values.map((value) => JSON.stringify(value));
  return {
    kind: "test",
    holds: (value) => literals.map((literal) => `${value} === ${literal}`).join(" || "),
    fails: (value) => literals.map((literal) => `${value} !== ${literal}`).join(" && "),
    nullable: false,
    expected: literals.join(" or "),
  };
}

function stringForm(module: DecoderModule, { format, minLength }: StringNode): Form {
  if (format === "uri") return called(module.use("isUri"), "", "an absolute URI");
  if (format === "date-time") return called(module.use("isDateTime"), "", "an RFC 3339 date-time");
  if (minLength === undefined) return compared(isString, "a string");
  const expected = minLength === 1 ? "a non-empty string" : `a string of at least ${minLength} characters`;
  return called(module.use("isLongString"), `, ${minLength}`, expected);
}

function numberForm(module: DecoderModule, node: NumberNode): Form {
  const { minimum, maximum } = numberBounds(node);
  // `isInteger` itself checks the limits of exact integers.
  const low = minimum === -Infinity || minimum === Number.MIN_SAFE_INTEGER ? "" : ` from ${minimum}`;
  const high = maximum === Infinity || maximum === Number.MAX_SAFE_INTEGER ? "" : ` up to ${maximum}`;
  const bounds = high !== "" ? `, ${minimum}, ${maximum}` : low !== "" ? `, ${minimum}` : "";
  const [isSuch, noun] = node.kind === "integer" ? ["isInteger", "an integer"] : ["isNumber", "a number"];
  return called(module.use(isSuch), bounds, `${noun}${low}${high}`);
}

function isString(value: string, is: string): string {
  return `typeof ${value} ${is} "string"`;
}

function compared(write: (value: string, is: "===" | "!==") => string, expected: string): Form {
  return {
    kind: "test",
    holds: (value) => write(value, "==="),
    fails: (value) => write(value, "!=="),
    nullable: false,
    expected,
  };
}

function called(name: string, more: string, expected: string): Form {
  const holds = (value: string) => `${name}(${value}${more})`;
  return { kind: "test", holds, fails: (value) => `!${holds(value)}`, nullable: false, expected };
}
