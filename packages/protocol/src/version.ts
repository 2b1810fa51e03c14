const brand = Symbol.for("acp-kit.VersionError");

/**
 * The error of a client that connects to an agent with which it has no protocol version in common. The client has
 * closed the connection.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#version-negotiation
 */
export class VersionError extends Error {
  override readonly name = "VersionError";
  /** The protocol version in the agent's response to `initialize`. */
  readonly offered: number;
  /** The protocol versions that the client supports, newest first. */
  readonly supported: readonly number[];

  constructor(offered: number, supported: readonly number[]) {
    super(`The agent supports protocol version ${offered}, but this client supports only ${supported.join(", ")}`);
    this.offered = offered;
    this.supported = supported;
    // The brand is set on each instance and not on the prototype, so that a bundler can drop the class from an agent,
    // which never throws it.
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Returns whether an error is a `VersionError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isVersionError(value: unknown): value is VersionError {
  return typeof value === "object" && value !== null && brand in value;
}
