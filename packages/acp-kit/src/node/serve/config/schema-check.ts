import { nearestName } from "@acp-kit/protocol/internal";

/** The part of JSON Schema that the configuration's schema uses. */
export interface ConfigSchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ConfigSchema;
  readonly items?: ConfigSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The first invalid value of a configuration. */
export interface ConfigProblem {
  /** The key, such as `users[1].tokenFile`; empty for the whole value. */
  readonly path: string;
  /** The expected value, such as `must be an integer of at least 1`. */
  readonly expectation: string;
}

/** Returns the first problem of a value, in the order of its keys, or `undefined` if there is none. */
export function checkConfig(value: unknown, schema: ConfigSchema, path = ""): ConfigProblem | undefined {
  if (schema.enum !== undefined) {
    if (schema.enum.includes(value as string)) return undefined;
    return { path, expectation: `must be one of ${schema.enum.join(", ")}` };
  }
  if (!fits(value, schema)) return { path, expectation: `must be ${nameOf(schema)}` };
  if (Array.isArray(value))
    return first(value.entries(), (item, index) => checkConfig(item, schema.items ?? {}, `${path}[${index}]`));
  if (schema.type !== "object") return undefined;
  return checkMembers(value as Readonly<Record<string, unknown>>, schema, path);
}

function checkMembers(
  value: Readonly<Record<string, unknown>>,
  schema: ConfigSchema,
  path: string,
): ConfigProblem | undefined {
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  const inside = (name: string): string => (path === "" ? name : `${path}.${name}`);
  for (const name of required) {
    if (!Object.hasOwn(value, name)) return { path: inside(name), expectation: "is missing" };
  }
  return first(Object.entries(value), (member, name) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : others;
    if (known === false) {
      return {
        path: inside(name),
        expectation: `is not a key of the configuration; ${hint(name, Object.keys(properties))}`,
      };
    }
    return typeof known === "object" ? checkConfig(member, known, inside(name)) : undefined;
  });
}

function hint(name: string, keys: readonly string[]): string {
  const meant = nearestName(name, keys);
  return meant === undefined ? `the keys are ${keys.join(", ")}` : `did you mean ${meant}?`;
}

function fits(value: unknown, { type, minLength = 0, minItems = 0, minimum, maximum }: ConfigSchema): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "array":
      return Array.isArray(value) && value.length >= minItems;
    case "string":
      return typeof value === "string" && value.length >= minLength;
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (type === "number" || Number.isInteger(value)) &&
        value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (maximum ?? Number.POSITIVE_INFINITY)
      );
    default:
      return true;
  }
}

function nameOf({ type, minLength = 0, minItems = 0, minimum, maximum }: ConfigSchema): string {
  if (type === "string") return minLength > 0 ? "a string that is not empty" : "a string";
  if (type === "boolean") return "true or false";
  if (type === "object") return "an object";
  if (type === "array") return minItems > 0 ? "a list that is not empty" : "a list";
  const number = type === "integer" ? "an integer" : "a number";
  if (minimum !== undefined && maximum !== undefined) return `${number} from ${minimum} to ${maximum}`;
  return minimum === undefined ? number : `${number} of at least ${minimum}`;
}

function first<Key, Item>(
  entries: Iterable<readonly [Key, Item]>,
  check: (item: Item, key: Key) => ConfigProblem | undefined,
): ConfigProblem | undefined {
  for (const [key, item] of entries) {
    const problem = check(item, key);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
