/**
 * Returns whether a capability is advertised. A capability is advertised if its value is `true` or any object. It is
 * not advertised if its value is absent, `null`, `false` or of another type.
 *
 * `path` begins with the name of the object that contains the capabilities, for example
 * `agentCapabilities.sessionCapabilities.list`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#capabilities
 */
export function hasCapability(capabilities: unknown, path: string): boolean {
  let value = capabilities;
  for (const name of path.split(".").slice(1)) {
    if (typeof value !== "object" || value === null) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value === true || (typeof value === "object" && value !== null);
}
