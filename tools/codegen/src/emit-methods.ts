import { checkGates } from "./check-gates.js";
import { openDefinitions } from "./direction.js";
import { firstParagraph } from "./docs.js";
import { type Gates, handlerNames, type MethodGate } from "./gates.js";
import { header } from "./header.js";
import type { Method, SchemaIr } from "./ir.js";
import { camelCase, Names } from "./names.js";
import { runtimeOf } from "./output-paths.js";
import { MAX_LINE } from "./print-types.js";
import { sortedBy } from "./sorted.js";

type Side = Method["side"];
type Kind = Method["kind"];

const sides: readonly Side[] = ["agent", "client", "protocol", "proxy"];
const whoHandles: Readonly<Record<Side, string>> = {
  agent: "an agent handles",
  client: "a client handles",
  protocol: "either side handles",
  proxy: "a proxy handles",
};

/**
 * Emits `methods.gen.ts`: the names of the methods, the facts about each, the typed call maps, and the handlers of an
 * agent and a client.
 *
 * @param stable - the stable schema of the same version, if `ir` is the unstable one.
 */
export function emitMethods(ir: SchemaIr, gates: Gates, stable: SchemaIr | undefined): string {
  checkGates(ir, gates);
  return new MethodModule(ir, gates, stable).text();
}

class MethodModule {
  readonly #ir: SchemaIr;
  readonly #gates: Gates;
  readonly #stable: SchemaIr | undefined;
  readonly #names: Names;
  readonly #open: ReadonlySet<string>;
  readonly #imported = new Set<string>();

  constructor(ir: SchemaIr, gates: Gates, stable: SchemaIr | undefined) {
    this.#ir = ir;
    this.#gates = gates;
    this.#stable = stable;
    this.#names = new Names(ir);
    this.#open = openDefinitions(ir);
  }

  text(): string {
    const present = sides.filter((side) => this.#of(side).length > 0);
    const body = [
      ...present.flatMap((side) => this.#methodNames(side)),
      ...present.flatMap((side) => [...this.#calls(side, "request"), ...this.#calls(side, "notification")]),
      ...present.filter((side) => side !== "protocol").flatMap((side) => this.#handlers(side)),
    ];
    return [
      header(this.#ir),
      "",
      `import type { Handler, MethodTable } from "${runtimeOf(this.#ir, "method-info")}";`,
      `import type { ${[...this.#imported].sort().join(", ")} } from "./types.gen.js";`,
      "",
      "/** The version of the protocol that this schema describes. */",
      `export const protocolVersion = ${this.#ir.protocolVersion};`,
      ...body,
      "",
    ].join("\n");
  }

  #of(side: Side, kind?: Kind): Method[] {
    const methods = this.#ir.methods.filter(
      (method) => method.side === side && (kind === undefined || method.kind === kind),
    );
    return sortedBy(methods, (method) => method.name);
  }

  #methodNames(side: Side): string[] {
    const entries = new Map<string, string>();
    for (const method of this.#of(side)) {
      const name = handlerName(method);
      if (entries.has(name)) {
        throw new Error(
          `${this.#ir.id}: two methods would be called "${name}"; name one in tools/codegen/src/gates.ts`,
        );
      }
      entries.set(name, method.name);
    }
    return [
      "",
      `/** The wire names of the methods that ${whoHandles[side]}. */`,
      `export const ${side}Methods = {`,
      ...[...entries].map(([name, wire]) => `  ${name}: ${quote(wire)},`),
      "} as const;",
    ];
  }

  /** Emits `AgentRequests` (the types) and `agentRequests` (the facts). A side without such methods has neither. */
  #calls(side: Side, kind: Kind): string[] {
    const methods = this.#of(side, kind);
    if (methods.length === 0) return [];
    const plural = `${capital(side)}${capital(kind)}s`;
    return [
      "",
      `/** The ${kind}s that ${whoHandles[side]}: what is sent, and what arrives. */`,
      `export interface ${plural} {`,
      ...methods.map((method) => this.#call(method)),
      "}",
      "",
      `/** What is known about the ${kind}s that ${whoHandles[side]}. */`,
      `export const ${camelCase(plural)}: MethodTable<${plural}> = {`,
      ...methods.map((method) => `  ${quote(method.name)}: ${this.#info(method)},`),
      "};",
    ];
  }

  #call({ name, params, result }: Method): string {
    const types = [`params: ${this.#type(params)}`, `incomingParams: ${this.#incoming(params)}`];
    if (result !== undefined) types.push(`result: ${this.#type(result)}`, `incomingResult: ${this.#incoming(result)}`);
    return `  ${quote(name)}: { ${types.join("; ")} };`;
  }

  #info(method: Method): string {
    const gate = this.#gate(method);
    const facts = [`name: ${quote(handlerName(method))}`, `params: ${quote(method.params)}`];
    if (method.result !== undefined) facts.push(`result: ${quote(method.result)}`);
    if (typeof gate !== "string" && "capability" in gate)
      facts.push(`capability: [${gate.capability.map(quote).join(", ")}]`);
    if (typeof gate !== "string" && "condition" in gate) facts.push(`condition: ${quote(gate.condition)}`);
    facts.push(`stability: ${quote(this.#stability(method))}`);
    return `{ ${facts.join(", ")} }`;
  }

  /** Emits `AgentHandlers`: the handlers of the side, optional if a capability or condition opens the method. */
  #handlers(side: Side): string[] {
    const methods = this.#of(side);
    return [
      "",
      "/**",
      ` * The methods that ${whoHandles[side]}. A member that only a capability or a condition opens is optional.`,
      " *",
      " * @typeParam Context - what the connection passes along with the params.",
      " */",
      `export interface ${capital(side)}Handlers<Context = unknown> {`,
      ...methods.flatMap((method) => this.#handler(method)),
      "}",
    ];
  }

  #handler(method: Method): string[] {
    const gate = this.#gate(method);
    const result = method.result === undefined ? "void" : this.#type(method.result);
    return [
      ...this.#handlerDoc(method, gate),
      `  ${handlerName(method)}${gate === "baseline" ? "" : "?"}: Handler<${this.#incoming(method.params)}, ${result}, Context>;`,
    ];
  }

  #handlerDoc(method: Method, gate: MethodGate): string[] {
    const about = firstParagraph(this.#ir.definitions.get(method.params)?.doc, this.#ir.definitions);
    const lines = [`\`${method.name}\`.${about === undefined ? "" : ` ${about}`}`];
    if (gate !== "baseline") {
      lines.push(
        "capability" in gate
          ? `Needs ${gate.capability.map((path) => `\`${path}\``).join(" or ")}.`
          : `Only when ${gate.condition}.`,
      );
    }
    if (this.#stability(method) === "unstable") lines.push("@experimental");
    const line = `  /** ${lines.join(" ")} */`;
    if (line.length <= MAX_LINE) return [line];
    return ["  /**", ...lines.flatMap((part, at) => [...(at > 0 ? ["   *"] : []), `   * ${part}`]), "   */"];
  }

  #gate({ side, name }: Method): MethodGate {
    const gate = this.#gates.methods[side]?.[name];
    if (gate === undefined) throw new Error(`${this.#ir.id}: no gate for the method "${name}"`);
    return gate;
  }

  #stability({ side, name, kind }: Method): "stable" | "unstable" {
    if (!this.#ir.unstable) return "stable";
    const known = this.#stable?.methods.some(
      (method) => method.side === side && method.name === name && method.kind === kind,
    );
    return known ? "stable" : "unstable";
  }

  #type(name: string): string {
    this.#imported.add(name);
    return name;
  }

  #incoming(name: string): string {
    return this.#type(this.#open.has(name) ? this.#names.incoming(name) : name);
  }
}

/** Converts the name of a params type to a method name: `NewSessionRequest` → `newSession`. */
export function handlerName({ params }: Method): string {
  return (
    (Object.hasOwn(handlerNames, params) ? handlerNames[params] : undefined) ??
    camelCase(params.replace(/(Request|Notification)$/, ""))
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
