const brand = Symbol.for("acp-kit.CapabilityError");

/**
 * The peer did not advertise the capability that a call needs. Nothing was sent.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#capabilities
 */
export class CapabilityError extends Error {
  static {
    Object.defineProperty(CapabilityError.prototype, brand, { value: true });
  }
  override readonly name = "CapabilityError";
  /** The path of the missing capability: `clientCapabilities.fs.readTextFile`. */
  readonly capability: string;
  /** The method that needs it, or what else was attempted. */
  readonly method: string;

  constructor(method: string, capability: string, message?: string) {
    super(message ?? `${method} needs ${capability}, which the peer did not advertise`);
    this.method = method;
    this.capability = capability;
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isCapabilityError(value: unknown): value is CapabilityError {
  return typeof value === "object" && value !== null && brand in value;
}
