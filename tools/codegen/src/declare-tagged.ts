import type { JSONSchema } from "json-schema-to-typescript";
import { Base } from "./declare-base.js";
import type { Direction } from "./direction.js";
import { definitionDoc, plainDoc } from "./docs.js";
import type { Branch, Definition, Node, TaggedNode, Variant } from "./ir.js";
import { type Declaration, described, type Lowering, named } from "./lower.js";

/** Tags that begin with an underscore are for private use. No version of the schema will define one. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template literal type.
const customTag = "`_${string}`";

/**
 * Declares the types of a tagged union: one type per variant, `Custom…` for private `_tags` if the schema has a
 * catch-all, and the closed union of these types for senders. For receivers, there are `Known…`, for which a `switch`
 * can be exhaustive, and `Incoming…`, which adds the unknown variant.
 */
export function declareTagged(definition: Definition, lowering: Lowering): Declaration[] {
  return new TaggedDeclarations(definition, lowering).all();
}

class TaggedDeclarations {
  readonly #name: string;
  readonly #doc: string | undefined;
  readonly #node: TaggedNode;
  /** The members of the object that the union is flattened into. */
  readonly #base: Base | undefined;
  readonly #lowering: Lowering;

  constructor(definition: Definition, lowering: Lowering) {
    const { node } = definition;
    const tagged = node.kind === "object" ? node.flattened : node;
    if (tagged?.kind !== "tagged") throw new Error(`${definition.name} is not a tagged union`);
    this.#name = definition.name;
    this.#doc = definitionDoc(definition, lowering.ir.definitions);
    this.#node = tagged;
    this.#base = node.kind === "object" ? new Base(definition.name, node, tagged.tag, lowering) : undefined;
    this.#lowering = lowering;
  }

  all(): Declaration[] {
    return [
      ...(this.#base?.declarations() ?? []),
      ...this.#node.variants.flatMap((variant) => this.#variant(variant)),
      ...this.#node.untagged.flatMap((branch) => this.#untagged(branch)),
      ...this.#custom(),
      ...this.#unions(),
    ];
  }

  #variant(variant: Variant): Declaration[] {
    const { names, ir } = this.#lowering;
    const name = names.variant(this.#name, variant);
    const payloadDoc = variant.payload === undefined ? undefined : ir.definitions.get(variant.payload)?.doc;
    const doc = plainDoc(variant.doc ?? payloadDoc, ir.definitions);
    const build = (direction: Direction) => {
      const tag = { [this.#node.tag]: { const: variant.value } };
      const own = this.#withTag(tag, [this.#node.tag], variant.properties, direction);
      return this.#combine(variant.payload, own, direction);
    };
    return this.#both(name, doc, build, this.#variantDiffers(variant));
  }

  /**
   * Declares a variant without a tag. This project sends no tag. A received value may have the variant's title as its
   * tag (`type: "stdio"`), because other versions of the protocol send it.
   */
  #untagged(branch: Branch): Declaration[] {
    const { names, ir } = this.#lowering;
    const name = names.untagged(this.#name, branch.title);
    const { node } = branch;
    const payload = node.kind === "ref" ? node.name : undefined;
    const properties = node.kind === "object" ? node.properties : [];
    const declaresTag = this.#declaresTag(branch);
    const doc = plainDoc(branch.doc ?? ir.definitions.get(payload ?? "")?.doc, ir.definitions);
    const build = (direction: Direction) => {
      // Every unknown tag belongs to the catch-all.
      const untagged = direction === "outgoing" || this.#node.other !== undefined;
      const tag = untagged ? named("never") : { const: branch.title ?? "" };
      const own = this.#withTag(declaresTag ? {} : { [this.#node.tag]: tag }, [], properties, direction);
      return this.#combine(payload, own, direction);
    };
    return this.#both(name, doc, build, this.#untaggedDiffers(branch));
  }

  #custom(): Declaration[] {
    const { other, tag } = this.#node;
    if (other === undefined) return [];
    const { names, ir } = this.#lowering;
    const build = (direction: Direction): JSONSchema => {
      const members = this.#withTag({ [tag]: named(customTag) }, [tag], other.node.properties, direction);
      const own = { ...members, additionalProperties: true };
      if (other.node.flattened === undefined) return extending(this.#parents(direction), own);
      const union = this.#lowering.node(other.node.flattened, direction);
      return { allOf: [...this.#parents(direction).map(named), union, own] };
    };
    return this.#both(names.custom(this.#name), plainDoc(other.doc, ir.definitions), build, this.#customDiffers());
  }

  #unions(): Declaration[] {
    const { names } = this.#lowering;
    const known = [
      ...this.#node.variants.map((variant) =>
        this.#member(names.variant(this.#name, variant), this.#variantDiffers(variant)),
      ),
      ...this.#node.untagged.map((branch) =>
        this.#member(names.untagged(this.#name, branch.title), this.#untaggedDiffers(branch)),
      ),
    ];
    const custom =
      this.#node.other === undefined ? [] : [this.#member(names.custom(this.#name), this.#customDiffers())];
    const knownName = names.known(this.#name);
    return [
      alias(
        this.#name,
        this.#doc,
        [...known, ...custom].map((member) => named(member.outgoing)),
      ),
      alias(
        knownName,
        `The forms of {@link ${this.#name}} for which \`${names.guard(this.#name)}\` holds.`,
        known.map((member) => named(member.incoming)),
      ),
      alias(names.incoming(this.#name), `{@link ${this.#name}} as it arrives: any \`${this.#node.tag}\`.`, [
        named(knownName),
        ...custom.map((member) => named(member.incoming)),
        this.#unknown(),
      ]),
    ];
  }

  /** Returns the type of an unknown variant: its common members have been checked, its other members have not. */
  #unknown(): JSONSchema {
    const { other, tag } = this.#node;
    const variant = named(`UnknownVariant<${JSON.stringify(tag)}>`);
    const beside = [
      ...this.#parents("incoming").map(named),
      ...(other === undefined || other.node.properties.length === 0
        ? []
        : [this.#lowering.members(other.node.properties, "incoming")]),
      ...(other?.node.flattened === undefined ? [] : [this.#lowering.node(other.node.flattened, "incoming")]),
    ];
    return beside.length === 0 ? variant : { allOf: [...beside, variant] };
  }

  #withTag(
    tag: Record<string, JSONSchema>,
    required: readonly string[],
    properties: Variant["properties"],
    direction: Direction,
  ): JSONSchema {
    const own = this.#lowering.members(properties, direction);
    return {
      ...own,
      properties: { ...tag, ...own.properties },
      required: [...required, ...(Array.isArray(own.required) ? own.required : [])],
    };
  }

  /** Declares an interface that extends common members and payload, or an intersection if one is a union. */
  #combine(payload: string | undefined, own: JSONSchema, direction: Direction): JSONSchema {
    const parents = this.#parents(direction);
    if (payload === undefined) return extending(parents, own);
    const name = this.#lowering.nameOf(payload, direction);
    if (this.#lowering.isInterface(payload)) return extending([...parents, name], own);
    return { allOf: [...parents.map(named), named(name), own] };
  }

  #both(
    name: string,
    doc: string | undefined,
    build: (direction: Direction) => JSONSchema,
    differs: boolean,
  ): Declaration[] {
    const own = { name, schema: described(build("outgoing"), doc) };
    if (!differs) return [own];
    const incoming = described(build("incoming"), `{@link ${name}} as it arrives.`);
    return [own, { name: this.#lowering.names.incoming(name), schema: incoming }];
  }

  #member(name: string, differs: boolean): { outgoing: string; incoming: string } {
    return { outgoing: name, incoming: differs ? this.#lowering.names.incoming(name) : name };
  }

  #parents(direction: Direction): string[] {
    return this.#base?.names(direction) ?? [];
  }

  #baseDiffers(): boolean {
    return this.#base?.differs ?? false;
  }

  #variantDiffers({ payload, properties }: Variant): boolean {
    const nodes: Node[] = properties.map((property) => property.node);
    if (payload !== undefined) nodes.push({ kind: "ref", name: payload });
    return this.#baseDiffers() || this.#lowering.differs(...nodes);
  }

  #untaggedDiffers(branch: Branch): boolean {
    const mayCarryTitle = !this.#declaresTag(branch) && this.#node.other === undefined;
    return mayCarryTitle || this.#baseDiffers() || this.#lowering.differs(branch.node);
  }

  /** Whether the branch itself declares the absent tag, as in `{ stopReason?: null }`. */
  #declaresTag({ node }: Branch): boolean {
    return node.kind === "object" && node.properties.some((property) => property.name === this.#node.tag);
  }

  #customDiffers(): boolean {
    return this.#baseDiffers() || (this.#node.other !== undefined && this.#lowering.differs(this.#node.other.node));
  }
}

function alias(name: string, doc: string | undefined, members: readonly JSONSchema[]): Declaration {
  const [only] = members;
  const schema = members.length === 1 && only !== undefined ? only : { anyOf: [...members] };
  return { name, schema: described(schema, doc) };
}

/** Returns the schema with a stub for each parent type. The printer takes the names of the parents from these stubs. */
function extending(parents: readonly string[], own: JSONSchema): JSONSchema {
  if (parents.length === 0) return own;
  const stubs: JSONSchema[] = parents.map((name) => ({ title: name, type: "object", additionalProperties: false }));
  // The types of json-schema-to-typescript only allow the strings of draft 4.
  return { ...own, extends: stubs as unknown as string[] };
}
