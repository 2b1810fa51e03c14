import { hasCapability } from "@acp-kit/protocol";
import type { InterceptorTable } from "./interceptor-table.js";
import type { ProtocolVersion } from "./protocol-version.js";
import type { Side } from "./side.js";

/** Returns whether a side that advertised these capabilities handles a method. */
export function isOffered(protocol: ProtocolVersion, side: Side, method: string, capabilities: unknown): boolean {
  const needed = neededCapabilities(protocol, side, method);
  return needed === undefined || needed.some((path) => hasCapability(capabilities, path));
}

/** Returns the capabilities of which a method needs one; `undefined` if it needs none. */
export function neededCapabilities(
  { gates }: ProtocolVersion,
  side: Side,
  method: string,
): readonly string[] | undefined {
  return Object.hasOwn(gates[side], method) ? gates[side][method]?.capability : undefined;
}

/** The methods that a proxy removed from what a side offers, and one that it added without an interceptor. */
export interface CapabilityChange {
  readonly removed: ReadonlySet<string>;
  readonly missing: string | undefined;
}

/** Compares the capabilities that a side advertised with those that the other side sees. */
export function capabilityChange(
  { protocol, tables }: { readonly protocol: ProtocolVersion; readonly tables: Record<Side, InterceptorTable> },
  side: Side,
  advertised: unknown,
  shown: unknown,
): CapabilityChange {
  const removed = new Set<string>();
  let missing: string | undefined;
  for (const method of Object.keys(protocol.gates[side])) {
    const was = isOffered(protocol, side, method, advertised);
    const is = isOffered(protocol, side, method, shown);
    if (was && !is) removed.add(method);
    else if (is && !was && !tables[side === "agent" ? "client" : "agent"].has(method)) missing ??= method;
  }
  return { removed, missing };
}
