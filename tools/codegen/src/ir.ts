/**
 * The intermediate representation (IR) of one schema file. `checkDialect` has accepted the file, and every spelling of
 * a construct (`enum` or `oneOf` of `const`, `$ref` or single `allOf`, tag object + payload) is normalised to one form.
 *
 * Emitters read only the IR. Definitions, members and variants are in the schema's order.
 */
export interface SchemaIr {
  /** The name of the generated folder and of the entry point: `v1`, `v1-unstable`, `v2`, `v2-unstable`. */
  readonly id: string;
  /** The protocol version of the file: 1 or 2. */
  readonly protocolVersion: number;
  readonly unstable: boolean;
  /** The origin of the bytes, for the header of every generated file. */
  readonly source: { readonly path: string; readonly package: string; readonly sha256: string };
  /** All definitions except the JSON-RPC envelopes (`AgentRequest`, …), which have no payload of their own. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly methods: readonly Method[];
}

export interface Definition {
  readonly name: string;
  readonly doc: string | undefined;
  readonly node: Node;
}

export interface Method {
  /** The wire name, such as `session/new`. */
  readonly name: string;
  /** The side that handles the method. `protocol`: either side. */
  readonly side: "agent" | "client" | "protocol" | "proxy";
  readonly kind: "request" | "notification";
  /** The name of the definition of `params`. */
  readonly params: string;
  /** The name of the definition of `result`; `undefined` for a notification. */
  readonly result: string | undefined;
}

export type Node =
  | { readonly kind: "any" }
  | { readonly kind: "null" }
  | { readonly kind: "boolean" }
  | StringNode
  | NumberNode
  | { readonly kind: "const"; readonly value: string | number }
  | EnumNode
  | { readonly kind: "ref"; readonly name: string }
  | { readonly kind: "nullable"; readonly inner: Node }
  | { readonly kind: "array"; readonly items: Node; readonly minItems: number | undefined }
  /** A free map: `additionalProperties` with a schema, or `true` (then `values` is `any`). */
  | { readonly kind: "record"; readonly values: Node }
  | ObjectNode
  | UnionNode
  | TaggedNode;

export interface StringNode {
  readonly kind: "string";
  /** Decoders check `uri` and `date-time`. `regex` and unknown formats are only documentation. */
  readonly format: string | undefined;
  readonly minLength: number | undefined;
  /** The encoding of the string, such as `base64` in v2. It is only documentation. */
  readonly contentEncoding: string | undefined;
}

export interface NumberNode {
  readonly kind: "number" | "integer";
  /** `uint16 | uint32 | uint64 | int32 | int64 | double`, or nothing. */
  readonly format: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export interface EnumNode {
  readonly kind: "enum";
  readonly base: "string" | "integer";
  readonly members: readonly {
    readonly value: string | number;
    readonly title: string | undefined;
    readonly doc: string | undefined;
  }[];
  /** Set if every other value of the base type is also valid. `format` is that of the other integers (`int32`). */
  readonly open: { readonly doc: string | undefined; readonly format: string | undefined } | undefined;
}

/** An object with declared members. Unknown members are always allowed and kept. */
export interface ObjectNode {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** The schema contains `additionalProperties: true` (catch-alls, `McpError`): the type gets an index signature. */
  readonly extensible: boolean;
  /**
   * A union whose members are flattened into this object (`CreateElicitationRequest`, `SessionConfigOption`, v2
   * `DiffChange`, `IdleStateUpdate`, …). `undefined` for a plain struct.
   */
  readonly flattened: UnionNode | TaggedNode | { readonly kind: "ref"; readonly name: string } | undefined;
}

export interface Property {
  readonly name: string;
  readonly node: Node;
  readonly required: boolean;
  readonly doc: string | undefined;
  /** The schema's `default`, if it has one. Decoders use it if the member is absent. */
  readonly default: { readonly value: unknown } | undefined;
  /** `x-deserialize-default-on-error` */
  readonly defaultOnError: boolean;
  /** `x-deserialize-skip-invalid-items` */
  readonly skipInvalidItems: boolean;
  /** `x-deserialize-default-on-null` */
  readonly defaultOnNull: boolean;
}

/** A union without a tag. The first alternative that matches is used. */
export interface UnionNode {
  readonly kind: "union";
  /** Whether a value that matches two branches is an error (`oneOf`, as in the elicitation scopes of v2). */
  readonly exclusive: boolean;
  readonly branches: readonly Branch[];
}

export interface Branch {
  readonly title: string | undefined;
  readonly doc: string | undefined;
  readonly node: Node;
}

/** A union whose variants a string member (the tag) distinguishes. */
export interface TaggedNode {
  readonly kind: "tagged";
  readonly tag: string;
  /**
   * `IdleStateUpdate.stopReason`: the tag may be absent or null, and a malformed tag counts as absent. The object that
   * this union is flattened into then also declares the tag, with its recovery flags.
   */
  readonly tagOptional: boolean;
  readonly variants: readonly Variant[];
  /** Open union: an object with an unknown tag is kept. A known tag with an invalid payload is an error. */
  readonly other:
    | (Branch & {
        /** The members beside the tag (without the tag), or a flattened scope. */ readonly node: ObjectNode;
      })
    | undefined;
  /**
   * Alternatives without the tag. They are tried if no variant's tag matches, or if that variant is invalid: v1 stdio
   * `McpServer`, agent `AuthMethod`, …
   */
  readonly untagged: readonly Branch[];
}

export interface Variant {
  readonly value: string;
  readonly title: string | undefined;
  readonly doc: string | undefined;
  /** The definition whose members are beside the tag. */
  readonly payload: string | undefined;
  /** Members written inline beside the tag. */
  readonly properties: readonly Property[];
}
