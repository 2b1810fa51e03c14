/**
 * A parsed schema file: JSON Schema 2020-12, restricted to the keywords that {@link checkDialect} accepts. Only the
 * loader, the dialect check and the IR builder read it; no emitter does.
 */
export interface RawDocument {
  readonly $schema: string;
  readonly title?: string;
  readonly anyOf: readonly RawSchema[];
  readonly $defs: Readonly<Record<string, RawSchema>>;
}

/** One schema object. Keywords that are missing here are not part of the dialect. */
export interface RawSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: string | number;
  readonly enum?: readonly (string | number)[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly items?: RawSchema;
  readonly properties?: Readonly<Record<string, RawSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: true | RawSchema;
  readonly unevaluatedProperties?: true;
  readonly allOf?: readonly RawSchema[];
  readonly anyOf?: readonly RawSchema[];
  readonly oneOf?: readonly RawSchema[];
  readonly not?: RawSchema;
  readonly discriminator?: { readonly propertyName: string };
  readonly "x-method"?: string;
  readonly "x-side"?: string;
  readonly "x-docs-ignore"?: true;
  readonly "x-deserialize-default-on-error"?: true;
  readonly "x-deserialize-skip-invalid-items"?: true;
  readonly "x-deserialize-default-on-null"?: true;
}

const prefix = "#/$defs/";

/** Returns the definition that a `$ref` names; `undefined` for any other target, which the dialect check refuses. */
export function referencedName(schema: RawSchema): string | undefined {
  return schema.$ref?.startsWith(prefix) ? schema.$ref.slice(prefix.length) : undefined;
}

/** Returns the definition behind `$ref`, or behind `allOf` with one `$ref` (to add keywords to a reference). */
export function wrappedName(schema: RawSchema): string | undefined {
  const [only] = schema.allOf ?? [];
  return only === undefined ? referencedName(schema) : referencedName(only);
}
