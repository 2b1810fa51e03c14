const brand = Symbol.for("acp-kit.VersionError");

/**
 * The agent supports no protocol version that this client supports. The connection has been closed.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#version-negotiation
 */
export class VersionError extends Error {
  override readonly name = "VersionError";
  /** The version in the agent's response. */
  readonly offered: number;
  /** The versions that this client supports, newest first. */
  readonly supported: readonly number[];

  constructor(offered: number, supported: readonly number[]) {
    super(`The agent speaks protocol version ${offered}; this client speaks ${supported.join(", ")}`);
    this.offered = offered;
    this.supported = supported;
    // On each instance, not on the prototype, so that a bundler can drop the class from an agent, which never throws it.
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isVersionError(value: unknown): value is VersionError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * Chooses the version for an agent's response: the requested one if it is supported, else the newest. Never throws.
 *
 * @param supported newest first; not empty.
 */
export function negotiateVersion(requested: number, supported: readonly number[]): number {
  return supported.includes(requested) ? requested : Math.max(...supported);
}
