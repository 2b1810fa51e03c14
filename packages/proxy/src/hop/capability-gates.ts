import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { hasCapability } from "@acp-kit/protocol";
import { agentGates, clientGates, type MethodGates } from "@acp-kit/types/decode";
import type { OpenedProxy } from "../create-proxy.js";
import type { Side } from "./side.js";

const gatesOf: Record<Side, MethodGates> = { agent: agentGates, client: clientGates };

/** Returns whether a side that advertised these capabilities handles a method. */
export function isOffered(side: Side, method: string, capabilities: unknown): boolean {
  const { capability } = (Object.hasOwn(gatesOf[side], method) && gatesOf[side][method]) || {};
  return capability === undefined || capability.some((path) => hasCapability(capabilities, path));
}

/** Returns the first capability that a method needs; `undefined` if it needs none. */
export function capabilityOf(side: Side, method: string): string | undefined {
  return Object.hasOwn(gatesOf[side], method) ? gatesOf[side][method]?.capability?.[0] : undefined;
}

/** The methods that a proxy removed from what a side offers, and those that it added. */
export interface GateChange {
  readonly removed: ReadonlySet<string>;
  readonly added: readonly string[];
}

/** Compares the capabilities that a side advertised with those that the other side sees. */
export function gateChange(side: Side, advertised: unknown, shown: unknown): GateChange {
  const removed = new Set<string>();
  const added: string[] = [];
  for (const method of Object.keys(gatesOf[side])) {
    const was = isOffered(side, method, advertised);
    const is = isOffered(side, method, shown);
    if (was && !is) removed.add(method);
    else if (is && !was) added.push(method);
  }
  return { removed, added };
}

/**
 * Checks that the proxy has an interceptor for each method of the capabilities that it adds to a peer with none.
 *
 * @throws {InvalidOptionError}
 */
export function checkCapabilities(proxy: OpenedProxy): void {
  for (const side of ["agent", "client"] as const) {
    const option = side === "agent" ? "agentCapabilities" : "clientCapabilities";
    const shown = proxy[option]?.({});
    if (shown === undefined) continue;
    const table = side === "agent" ? proxy.client : proxy.agent;
    for (const method of gateChange(side, {}, shown).added)
      if (!table.has(method))
        throw new InvalidOptionError("createProxy", option, `adds a capability without an interceptor of ${method}`);
  }
}
