import { checkNesting, checkReferences, referencesIn } from "./check-nesting.js";
import { annotations, type Form, formats, forms, keywords, type Position, valueKinds } from "./dialect-forms.js";
import { below, DialectError, definitionPlace, type Place } from "./place.js";
import { type RawDocument, type RawSchema, referencedName } from "./raw-schema.js";

const documentKeywords = ["$schema", "title", "description", "anyOf", "$defs"];
const sides = ["agent", "client", "protocol", "proxy"];

/**
 * Refuses a schema that contains anything the generator does not support: an unknown keyword, a known keyword in an
 * unknown combination or place, an unknown format, or a broken reference.
 *
 * This function does not distinguish tagged from untagged unions. `buildIr` does this later.
 *
 * @throws {DialectError} that names the definition and the JSON pointer of the first problem.
 */
export function checkDialect(document: RawDocument): void {
  const [first] = dialectErrors(document);
  if (first !== undefined) throw first;
}

/** Returns the first problem of each definition, so that one review shows every decision. */
export function dialectErrors(document: RawDocument): readonly DialectError[] {
  const errors: DialectError[] = [];
  const attempt = (check: () => void): void => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      errors.push(error);
    }
  };
  attempt(() => checkDocument(document));
  if (errors.length > 0) return errors;
  const checker = new Checker(new Set(Object.keys(document.$defs)));
  document.anyOf.forEach((branch, index) => {
    attempt(() => checker.check(branch, "envelope", below(root, "anyOf", index)));
  });
  for (const [name, schema] of Object.entries(document.$defs))
    attempt(() => checker.check(schema, "definition", definitionPlace(name)));
  attempt(() => checkCycles(document));
  return errors;
}

const root: Place = { definition: "(root)", pointer: "" };

function checkDocument(document: RawDocument): void {
  if (typeof document !== "object" || document === null) throw new DialectError(root, "expected an object");
  for (const key of Object.keys(document)) {
    if (!documentKeywords.includes(key)) throw new DialectError(root, `unknown keyword "${key}"`);
  }
  if (document.$schema !== "https://json-schema.org/draft/2020-12/schema") {
    throw new DialectError(below(root, "$schema"), `unknown draft ${JSON.stringify(document.$schema)}`);
  }
  if (!Array.isArray(document.anyOf)) throw new DialectError(root, "no anyOf with the messages");
  if (typeof document.$defs !== "object" || document.$defs === null || Array.isArray(document.$defs))
    throw new DialectError(root, "no $defs with the definitions");
  try {
    checkNesting(document);
  } catch (cause) {
    throw new DialectError(root, (cause as Error).message);
  }
}

/** Refuses definitions that contain themselves, because the emitters of decoders and types would never end. */
function checkCycles(document: RawDocument): void {
  const references = new Map(Object.entries(document.$defs).map(([name, schema]) => [name, referencesIn(schema)]));
  try {
    checkReferences(references);
  } catch (cause) {
    throw new DialectError({ definition: "$defs", pointer: "/$defs" }, (cause as Error).message);
  }
}

class Checker {
  readonly #definitions: ReadonlySet<string>;

  constructor(definitions: ReadonlySet<string>) {
    this.#definitions = definitions;
  }

  check(schema: RawSchema, position: Position, place: Place): void {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
      throw new DialectError(place, `expected a schema object, found ${JSON.stringify(schema)}`);
    }
    checkValues(schema, place);
    const shape = this.#shapeKeywords(schema, position, place);
    const type = this.#type(schema, place);
    const form = forms.find((candidate) => fits(candidate, type, shape, position));
    if (form === undefined) {
      const found = ["type" in schema ? `type ${JSON.stringify(schema.type)}` : "no type", ...shape].join(", ");
      throw new DialectError(place, `unknown keyword combination in a ${position}: ${found}`);
    }
    this.#values(schema, type.name, place);
    this.#children(schema, position, place);
  }

  /** Returns the keywords that remain without the annotations of this position. */
  #shapeKeywords(schema: RawSchema, position: Position, place: Place): string[] {
    return Object.keys(schema).filter((key) => {
      if (!keywords.has(key)) {
        throw new DialectError(place, `unknown ${key.startsWith("x-") ? "x- keyword" : "keyword"} "${key}"`);
      }
      return key !== "type" && key !== "description" && !annotations[position].includes(key);
    });
  }

  #type(schema: RawSchema, place: Place): { name: string | undefined; nullable: boolean } {
    const { type } = schema;
    if (type === undefined || typeof type === "string") return { name: type, nullable: false };
    const [name, second, ...rest] = type;
    if (name === undefined || name === "null" || second !== "null" || rest.length > 0) {
      throw new DialectError(
        below(place, "type"),
        `unknown type list ${JSON.stringify(type)}; only [T, "null"] is known`,
      );
    }
    return { name, nullable: true };
  }

  #values(schema: RawSchema, type: string | undefined, place: Place): void {
    if (schema.$ref !== undefined) {
      const target = referencedName(schema);
      if (target === undefined || !this.#definitions.has(target)) {
        throw new DialectError(
          below(place, "$ref"),
          `reference to ${JSON.stringify(schema.$ref)}, which is not a definition`,
        );
      }
    }
    if (schema.allOf !== undefined) {
      const [only] = schema.allOf;
      if (schema.allOf.length !== 1 || only?.$ref === undefined) {
        throw new DialectError(below(place, "allOf"), "allOf is known only as a wrapper around one reference");
      }
    }
    if (schema.format !== undefined && !(type !== undefined && formats[type]?.includes(schema.format))) {
      throw new DialectError(below(place, "format"), `unknown format ${JSON.stringify(schema.format)} of ${type}`);
    }
    if (schema.contentEncoding !== undefined && schema.contentEncoding !== "base64") {
      throw new DialectError(
        below(place, "contentEncoding"),
        `unknown encoding ${JSON.stringify(schema.contentEncoding)}`,
      );
    }
    for (const name of schema.required ?? []) {
      if (schema.properties === undefined || !Object.hasOwn(schema.properties, name)) {
        throw new DialectError(below(place, "required"), `"${name}" is required but not declared`);
      }
    }
    if (schema.discriminator !== undefined && Object.keys(schema.discriminator).join() !== "propertyName") {
      throw new DialectError(below(place, "discriminator"), "only propertyName is known");
    }
    if (schema.additionalProperties !== undefined && typeof schema.additionalProperties === "boolean") {
      if (!schema.additionalProperties)
        throw new DialectError(below(place, "additionalProperties"), "false is not known");
    }
    if (schema.unevaluatedProperties !== undefined && schema.unevaluatedProperties !== true) {
      throw new DialectError(below(place, "unevaluatedProperties"), "only true is known");
    }
    if ("x-method" in schema !== "x-side" in schema) {
      throw new DialectError(place, "x-method and x-side come together or not at all");
    }
    if (schema["x-side"] !== undefined && !sides.includes(schema["x-side"])) {
      throw new DialectError(below(place, "x-side"), `unknown side ${JSON.stringify(schema["x-side"])}`);
    }
    this.#recovery(schema, type, place);
  }

  /** Checks the keywords of the decoder: each is `true`, and a keyword about items is on a type with items. */
  #recovery(schema: RawSchema, type: string | undefined, place: Place): void {
    const allowed: Record<string, readonly (string | undefined)[] | undefined> = {
      "x-deserialize-default-on-error": undefined,
      "x-deserialize-skip-invalid-items": ["array"],
      "x-deserialize-default-on-null": ["array", "object"],
    };
    for (const [key, types] of Object.entries(allowed)) {
      const value = (schema as Record<string, unknown>)[key];
      if (value === undefined) continue;
      if (value !== true)
        throw new DialectError(below(place, key), `only true is known, found ${JSON.stringify(value)}`);
      if (types !== undefined && !types.includes(type)) {
        throw new DialectError(below(place, key), `not known on type ${JSON.stringify(schema.type)}`);
      }
    }
  }

  #children(schema: RawSchema, position: Position, place: Place): void {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      this.check(property, "property", below(place, "properties", name));
    }
    for (const keyword of ["anyOf", "oneOf"] as const) {
      schema[keyword]?.forEach((branch, index) => {
        this.check(branch, "branch", below(place, keyword, index));
      });
    }
    for (const [index, inner] of (schema.allOf ?? []).entries())
      this.check(inner, "element", below(place, "allOf", index));
    if (schema.items !== undefined) this.check(schema.items, "element", below(place, "items"));
    if (schema.not !== undefined) this.check(schema.not, "element", below(place, "not"));
    if (typeof schema.additionalProperties === "object") {
      if (schema.properties !== undefined) {
        throw new DialectError(
          below(place, "additionalProperties"),
          `a schema beside properties is not known in a ${position}`,
        );
      }
      this.check(schema.additionalProperties, "element", below(place, "additionalProperties"));
    }
  }
}

/** Refuses values of the wrong kind, such as a number as a description: the generator trusts the types. */
function checkValues(schema: RawSchema, place: Place): void {
  for (const [key, value] of Object.entries(schema)) {
    const kind = valueKinds.get(key);
    if (kind !== undefined && !kind.accepts(value))
      throw new DialectError(below(place, key), `expected ${kind.name}, found ${JSON.stringify(value)}`);
  }
}

function fits(
  form: Form,
  type: { name: string | undefined; nullable: boolean },
  shape: readonly string[],
  position: Position,
): boolean {
  if (form.type !== type.name || (type.nullable && form.nullable !== true)) return false;
  if (form.positions !== undefined && !form.positions.includes(position)) return false;
  const allowed = [...form.required, ...(form.optional ?? [])];
  return form.required.every((key) => shape.includes(key)) && shape.every((key) => allowed.includes(key));
}
