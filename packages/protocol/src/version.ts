const brand = Symbol.for("acp-kit.VersionError");

/**
 * The agent speaks no protocol version that this client speaks. The connection has been closed.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#version-negotiation
 */
export class VersionError extends Error {
  override readonly name = "VersionError";
  /** What the agent answered. */
  readonly offered: number;
  /** What this client speaks, newest first. */
  readonly supported: readonly number[];

  constructor(offered: number, supported: readonly number[]) {
    super(`The agent speaks protocol version ${offered}; this client speaks ${supported.join(", ")}`);
    this.offered = offered;
    this.supported = supported;
    // On each instance, not on the prototype: a bundler can drop the class then, from an agent, which never throws it.
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isVersionError(value: unknown): value is VersionError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * The version an agent answers with: the requested one when it is supported, else the newest it has. Never an error.
 *
 * @param supported newest first; not empty.
 */
export function negotiateVersion(requested: number, supported: readonly number[]): number {
  return supported.includes(requested) ? requested : Math.max(...supported);
}
