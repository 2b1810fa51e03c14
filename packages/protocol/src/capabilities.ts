/**
 * Whether a capability is on: `true`, or any object. Absent, `null`, `false` and values of other types are off.
 *
 * `path` starts at the name of the tree: `agentCapabilities.sessionCapabilities.list`.
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
