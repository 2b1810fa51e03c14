const brand = Symbol.for("acp-kit.CapabilityError");

/**
 * The error of a call that needs a capability which the peer did not advertise. The call was not sent.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#capabilities
 */
export class CapabilityError extends Error {
  static {
    Object.defineProperty(CapabilityError.prototype, brand, { value: true });
  }
  override readonly name = "CapabilityError";
  /** The path of the missing capability, such as `clientCapabilities.fs.readTextFile`. */
  readonly capability: string;
  /** The method that needs the capability, or a description of what was attempted. */
  readonly method: string;

  constructor(method: string, capability: string, message?: string) {
    super(message ?? `${method} needs ${capability}, which the peer did not advertise`);
    this.method = method;
    this.capability = capability;
  }
}

/**
 * Returns whether an error is a `CapabilityError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isCapabilityError(value: unknown): value is CapabilityError {
  return typeof value === "object" && value !== null && brand in value;
}
