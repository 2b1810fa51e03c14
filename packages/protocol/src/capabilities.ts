/**
 * Returns whether a capability is advertised: its value is `true` or any object. Absent values, `null`, `false` and
 * values of other types mean that it is not advertised.
 *
 * `path` starts with the name of the capabilities: `agentCapabilities.sessionCapabilities.list`.
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
