/**
 * The kind of a capability, which determines how it is advertised. A `flag` is advertised with `true`, a `marker` with
 * an object, which may be empty. A `group` only contains other capabilities.
 */
export type CapabilityKind = "flag" | "marker" | "group";

/** A part of a message that may be sent only if its receiver advertised a capability. */
export interface PayloadGate {
  /**
   * The place of the part in the schema: a member, such as `ToolCall.content`, or a definition that is a union, such as
   * `CreateElicitationRequest`.
   */
  readonly at: string;
  /** The tag or enum value that needs the capability. It is absent if the member itself needs the capability. */
  readonly variant?: string;
  /**
   * The role that advertises the capability, then the path inside its capabilities: `agent.promptCapabilities.image`.
   */
  readonly capability: string;
}
