/**
 * The intermediate representation: what one schema file means, after its dialect has been checked and every spelling
 * variant (`enum` or `oneOf` of `const`, `$ref` or single `allOf`, tag object + payload) has been brought to one form.
 *
 * Every emitter reads this and nothing else. The order of definitions, members and variants is the schema's own.
 */
export interface SchemaIr {
  /** The generated folder and the entry point: `v1`, `v1-unstable`, `v2`, `v2-unstable`. */
  readonly id: string;
  /** 1 or 2: the protocol version the file describes. */
  readonly protocolVersion: number;
  readonly unstable: boolean;
  /** What the header of every generated file says: where the bytes came from. */
  readonly source: { readonly path: string; readonly package: string; readonly sha256: string };
  /** Without the JSON-RPC envelopes (`AgentRequest`, …), which are marked `x-docs-ignore` and carry no payload of their own. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly methods: readonly Method[];
}

export interface Definition {
  readonly name: string;
  readonly doc: string | undefined;
  readonly node: Node;
}

export interface Method {
  /** The wire name, `session/new`. */
  readonly name: string;
  /** Who handles it. `protocol`: either side. */
  readonly side: "agent" | "client" | "protocol" | "proxy";
  readonly kind: "request" | "notification";
  /** Name of the definition of `params`. */
  readonly params: string;
  /** Name of the definition of `result`; requests only. */
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
  /** Asserted by decoders: `uri` and `date-time`. `regex` and unknown formats are documentation. */
  readonly format: string | undefined;
  readonly minLength: number | undefined;
  /** `base64` in v2; documentation. */
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
  /** Any further value of the base type may arrive. `format` of the catch-all for integers (`int32`). */
  readonly open: { readonly doc: string | undefined; readonly format: string | undefined } | undefined;
}

/** An object with declared members; unknown members are always allowed and kept. */
export interface ObjectNode {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** The schema says `additionalProperties: true` in so many words (catch-alls, `McpError`): types get an index signature. */
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
  /** The schema's `default`, when it has one. Filled in by decoders when the member is absent. */
  readonly default: { readonly value: unknown } | undefined;
  /** `x-deserialize-default-on-error` */
  readonly defaultOnError: boolean;
  /** `x-deserialize-skip-invalid-items` */
  readonly skipInvalidItems: boolean;
  /** `x-deserialize-default-on-null` */
  readonly defaultOnNull: boolean;
}

/** Alternatives without a tag: the first that fits wins. */
export interface UnionNode {
  readonly kind: "union";
  /** `oneOf`: a value that fits two branches is an error (v2 elicitation scopes). `anyOf` otherwise. */
  readonly exclusive: boolean;
  readonly branches: readonly Branch[];
}

export interface Branch {
  readonly title: string | undefined;
  readonly doc: string | undefined;
  readonly node: Node;
}

/** Alternatives distinguished by a string member. */
export interface TaggedNode {
  readonly kind: "tagged";
  readonly tag: string;
  /**
   * `IdleStateUpdate.stopReason`: the tag itself may be absent or null, and a malformed one counts as absent. The tag
   * then also stands among the members of the object that this union is flattened into, with its recovery flags.
   */
  readonly tagOptional: boolean;
  readonly variants: readonly Variant[];
  /** Open union: an unknown tag is kept with its whole object. A known tag with a bad payload still fails. */
  readonly other:
    | (Branch & {
        /** members beside the tag (the tag itself is not among them), or a flattened scope */ readonly node: ObjectNode;
      })
    | undefined;
  /** Alternatives without the tag, tried when no variant's tag matches or the tagged one fails: v1 stdio `McpServer`, agent `AuthMethod`, … */
  readonly untagged: readonly Branch[];
}

export interface Variant {
  readonly value: string;
  readonly title: string | undefined;
  readonly doc: string | undefined;
  /** The definition whose members stand beside the tag. */
  readonly payload: string | undefined;
  /** Members written inline beside the tag. */
  readonly properties: readonly Property[];
}
