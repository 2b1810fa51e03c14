/**
 * What a capability is: a `flag` is on when `true`; a `marker` is on when it is an object, even an empty one; a `group`
 * only holds others and turns nothing on by itself.
 */
export type CapabilityKind = "flag" | "marker" | "group";

/** Part of a message that its receiver must have advertised a capability for. */
export interface PayloadGate {
  /** `Definition.member`, or `Definition` when that is itself the union. */
  readonly at: string;
  /** The tag (or enum value) that needs the capability. Absent when the member itself does. */
  readonly variant?: string;
  /** The advertising side, then the path inside its capabilities: `agent.promptCapabilities.image`. */
  readonly capability: string;
}
