import type { Node, NumberNode, ObjectNode, Property, SchemaIr, TaggedNode, Variant } from "@acp-kit/codegen/ir";
import { numberBounds } from "@acp-kit/codegen/number-bounds";
import * as fc from "fast-check";

type Json = fc.Arbitrary<unknown>;
type Members = fc.Arbitrary<Record<string, unknown>>;

const uris = [
  ...["https://example.com/a?b=c#d", "file:///work/a.ts", "zed:///agent/thread/1", "urn:isbn:0451450523"],
  `https://example.com/${"a/".repeat(5_000)}`,
];
const dateTimes = ["2026-02-28T23:59:59Z", "2024-02-29T00:00:00.123456+02:00"];

/**
 * Generates valid values from the IR: the values that a sender may send, with unknown members (allowed in every object
 * of the protocol) and, in open unions and enums, unknown values.
 */
export class Arbitraries {
  readonly #ir: SchemaIr;
  readonly #definitions = new Map<string, Json>();

  constructor(ir: SchemaIr) {
    this.#ir = ir;
  }

  /** Returns values of a definition as `JSON.parse` would create them: plain prototypes, no `-0`. */
  valueOf(name: string): Json {
    return this.#definition(name).map((value) => JSON.parse(JSON.stringify(value ?? null)));
  }

  #definition(name: string): Json {
    const known = this.#definitions.get(name);
    if (known !== undefined) return known;
    const definition = this.#ir.definitions.get(name);
    if (definition === undefined) throw new Error(`${name} is not defined`);
    const made = this.#node(definition.node);
    this.#definitions.set(name, made);
    return made;
  }

  #node(node: Node): Json {
    switch (node.kind) {
      case "any":
        return fc.oneof(
          { weight: 10, arbitrary: fc.constantFrom<unknown>(null, true, 0, "x", []) },
          { weight: 10, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
          { weight: 1, arbitrary: nested },
        );
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "const":
        return fc.constant(node.value);
      case "string":
        if (node.format === "uri") return fc.constantFrom(...uris);
        if (node.format === "date-time") return fc.constantFrom(...dateTimes);
        return text(node.minLength ?? 0);
      case "number":
        return fc.double({ ...finite(numberBounds(node)), noNaN: true, noDefaultInfinity: true });
      case "integer":
        return integer(node);
      case "enum": {
        const known = fc.constantFrom<unknown>(...node.members.map(({ value }) => value));
        if (node.open === undefined) return known;
        const other = node.base === "string" ? text(0) : fc.integer();
        return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: other });
      }
      case "ref":
        return this.#definition(node.name);
      case "nullable":
        return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: this.#node(node.inner) });
      case "array":
        return list(this.#node(node.items), node.minItems ?? 0);
      case "record":
        return fc.dictionary(fc.constantFrom("a", "b", "constructor", "x-y"), this.#node(node.values), { maxKeys: 2 });
      case "object":
        return this.#object(node);
      case "union":
        return fc.oneof(...node.branches.map((branch) => this.#node(branch.node)));
      case "tagged":
        return this.#tagged(node);
    }
  }

  #object({ properties, flattened }: ObjectNode): Members {
    const own = this.#members(properties);
    if (flattened === undefined) return own;
    const union = flattened.kind === "ref" ? this.#definition(flattened.name) : this.#node(flattened);
    // The union may restrict a member of the object further, such as the optional tag of an idle state.
    return merged(own, union as Members);
  }

  #members(properties: readonly Property[]): Members {
    const model = Object.fromEntries(properties.map(({ name, node }) => [name, this.#node(node)]));
    const required = properties.filter((property) => property.required).map(({ name }) => name);
    const unknown = fc.option(fc.constantFrom({ "x-unknown": 1 }, { later: { added: [null] } }), { freq: 4, nil: {} });
    return merged(unknown as Members, fc.record(model, { requiredKeys: required, noNullPrototype: true }) as Members);
  }

  #tagged({ tag, tagOptional, variants, other, untagged }: TaggedNode): Members {
    const branches = [
      ...variants.map((variant) => ({ weight: 3, arbitrary: this.#variant(tag, variant) })),
      ...(other === undefined
        ? []
        : [{ weight: 2, arbitrary: merged(this.#object(other.node), fc.constant({ [tag]: "_vendor/new" })) }]),
      ...untagged.map(({ node }) => ({
        weight: 3,
        arbitrary: tagOptional
          ? (fc.constantFrom({}, { [tag]: null }) as Members)
          : (this.#node(node).filter((value) => !(tag in (value as object))) as Members),
      })),
    ];
    // The surrounding object also declares an optional tag. The value generated here must win.
    return tagOptional ? fc.oneof(...branches).map((value) => ({ [tag]: undefined, ...value })) : fc.oneof(...branches);
  }

  #variant(tag: string, { value, payload, properties }: Variant): Members {
    const members = this.#members(properties);
    const all = payload === undefined ? members : merged(this.#definition(payload) as Members, members);
    return merged(all, fc.constant({ [tag]: value }));
  }
}

function merged(first: Members, second: Members): Members {
  return fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
}

/** Usually a short text, sometimes one as long as a file. */
function text(minLength: number): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom("a", "/work/a.ts", "other", "text") },
    { weight: 20, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: minLength + 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 30_000 }).map((length) => "/a.".repeat(length / 3)) },
  );
}

/** Usually a short list, sometimes one with up to a hundred items, which repeat. */
function list(items: Json, minLength: number): Json {
  const short = fc.array(items, { minLength, maxLength: minLength + 2 });
  const long = fc
    .tuple(fc.array(items, { minLength: 1, maxLength: 3 }), fc.integer({ min: 20, max: 100 }))
    .map(([some, length]) => Array.from({ length }, (_, index) => some[index % some.length]));
  return fc.oneof({ weight: 40, arbitrary: short }, { weight: 1, arbitrary: long });
}

/** Nested arrays or objects, up to the depth that a connection accepts. */
const nested = fc.tuple(fc.integer({ min: 20, max: 500 }), fc.boolean()).map(([depth, isList]) => {
  let value: unknown = "end";
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
});

function integer(node: NumberNode): fc.Arbitrary<number> {
  const { minimum, maximum } = numberBounds(node);
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: Math.max(minimum, -1000), max: Math.min(maximum, 1000) }),
  );
}

function finite({ minimum, maximum }: { minimum: number; maximum: number }): { min?: number; max?: number } {
  return { ...(minimum === -Infinity ? {} : { min: minimum }), ...(maximum === Infinity ? {} : { max: maximum }) };
}
