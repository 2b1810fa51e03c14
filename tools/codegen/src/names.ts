import type { Node, SchemaIr, TaggedNode, Variant } from "./ir.js";

/** Names that generated files use or entry points export. A definition of that name would hide the other. */
const reserved = [
  "AgentCapabilityPath",
  "AgentHandlers",
  "AgentNotifications",
  "AgentRequests",
  "CapabilityKind",
  "ClientCapabilityPath",
  "ClientHandlers",
  "ClientNotifications",
  "ClientRequests",
  "Handler",
  "Meta",
  "MethodInfo",
  "MethodTable",
  "Omit",
  "PayloadGate",
  "ProtocolNotifications",
  "ProxyHandlers",
  "ProxyNotifications",
  "ProxyRequests",
  "Record",
  "UnknownTag",
  "UnknownVariant",
];

/** Whether a name can be used as a member without quotes. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** `agent_message_chunk`, `date-time` → `AgentMessageChunk`, `DateTime`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== "")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join("");
}

/** `NewSession` → `newSession`. */
export function camelCase(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/**
 * The names of anonymous parts of the schema: variants, custom variants, and the common members of a flattened union.
 *
 * A definition always keeps its name. If a derived name equals one (`RunningStateUpdate` is both the payload and the
 * variant of `StateUpdate`), the derived name gets the suffix `Variant`.
 */
export class Names {
  readonly #definitions: ReadonlySet<string>;

  constructor(ir: SchemaIr) {
    this.#definitions = new Set(ir.definitions.keys());
    for (const name of this.#definitions) {
      if (!isIdentifier(name)) throw new Error(`${ir.id}: the definition "${name}" can't name a type`);
      if (reserved.includes(name))
        throw new Error(`${ir.id}: a definition is called "${name}", which the generated code uses itself`);
      if (this.#definitions.has(this.incoming(name)) || this.#definitions.has(this.known(name))) {
        throw new Error(`${ir.id}: the receiving form of "${name}" would take the name of another definition`);
      }
    }
  }

  variant(union: string, variant: Variant): string {
    return this.#derived(`${pascalCase(variant.value)}${union}`);
  }

  /** Returns the name of a branch without the tag, from its title: `StdioMcpServer`. */
  untagged(union: string, title: string | undefined): string {
    if (title === undefined) throw new Error(`${union}: a branch without a tag needs a title to be named after`);
    return this.#derived(`${pascalCase(title)}${union}`);
  }

  custom(union: string): string {
    return this.#derived(`Custom${union}`);
  }

  base(name: string): string {
    return this.#derived(`${name}Base`);
  }

  incoming(name: string): string {
    return `Incoming${name}`;
  }

  known(union: string): string {
    return `Known${union}`;
  }

  guard(union: string): string {
    return `isKnown${union}`;
  }

  #derived(name: string): string {
    return this.#definitions.has(name) ? `${name}Variant` : name;
  }
}

/** Returns the tagged union of a definition, alone or flattened into an object. */
export function taggedOf(node: Node): TaggedNode | undefined {
  if (node.kind === "tagged") return node;
  return node.kind === "object" && node.flattened?.kind === "tagged" ? node.flattened : undefined;
}
