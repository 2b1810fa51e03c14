import { members } from "./members.js";

/** A method of the agent, and the schema of its params. */
export interface MethodSchema {
  readonly method: string;
  readonly isNotification: boolean;
  readonly schema: unknown;
}

/** A member that params may have. */
export interface SchemaMember {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly example: unknown;
}

/** The schema of the protocol, for the completion of messages. */
export class ProtocolSchema {
  readonly methods: readonly MethodSchema[];
  readonly #definitions: Readonly<Record<string, unknown>>;

  constructor(text: string) {
    const { $defs, definitions } = members(JSON.parse(text));
    this.#definitions = members($defs ?? definitions);
    this.methods = Object.values(this.#definitions)
      .flatMap((schema): MethodSchema[] => {
        const { "x-method": method, "x-side": side } = members(schema);
        if (typeof method !== "string" || side !== "agent" || !isParams(schema, this.#definitions)) return [];
        return [{ method, isNotification: nameOf(schema, this.#definitions).endsWith("Notification"), schema }];
      })
      .sort((a, b) => (a.method < b.method ? -1 : 1));
  }

  /** Returns the members of a schema. Required members come first. */
  membersOf(schema: unknown): readonly SchemaMember[] {
    const { properties, required } = members(this.#resolved(schema));
    const needed = new Set(Array.isArray(required) ? required : []);
    return Object.entries(members(properties))
      .filter(([name]) => name !== "_meta")
      .map(([name, property]) => ({
        name,
        isRequired: needed.has(name),
        description: String(members(property).description ?? members(this.#resolved(property)).description ?? ""),
        example: this.example(property),
      }))
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  }

  /** Returns the smallest value that a schema describes: only required members. */
  example(schema: unknown, depth = 0): unknown {
    const resolved = members(this.#resolved(schema));
    if (depth > 6) return null;
    if ("const" in resolved) return resolved.const;
    if ("default" in resolved) return resolved.default;
    const { type, enum: values, oneOf, anyOf, allOf, properties, required } = resolved;
    if (Array.isArray(values)) return values[0];
    for (const choice of [oneOf, anyOf])
      if (Array.isArray(choice) && choice.length > 0) return this.example(choice[0], depth + 1);
    if (Array.isArray(allOf) && allOf.length > 0 && properties === undefined) return this.example(allOf[0], depth + 1);
    const kind = Array.isArray(type) ? type[0] : type;
    if (kind === "array") return [];
    if (kind === "integer" || kind === "number") return 0;
    if (kind === "boolean") return false;
    if (kind === "string") return "";
    const needed = Array.isArray(required) ? required.map(String) : [];
    return Object.fromEntries(needed.map((name) => [name, this.example(members(properties)[name], depth + 1)]));
  }

  #resolved(schema: unknown, depth = 0): unknown {
    const { $ref, allOf } = members(schema);
    if (depth > 10) return schema;
    if (typeof $ref === "string")
      return this.#resolved(this.#definitions[$ref.replace(/^#\/(?:\$defs|definitions)\//, "")], depth + 1);
    if (Array.isArray(allOf) && allOf.length === 1 && members(schema).properties === undefined)
      return this.#resolved(allOf[0], depth + 1);
    return schema;
  }
}

function nameOf(schema: unknown, definitions: Readonly<Record<string, unknown>>): string {
  return Object.keys(definitions).find((name) => definitions[name] === schema) ?? "";
}

function isParams(schema: unknown, definitions: Readonly<Record<string, unknown>>): boolean {
  return /(?:Request|Notification)$/.test(nameOf(schema, definitions));
}
