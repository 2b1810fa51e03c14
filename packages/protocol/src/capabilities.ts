import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { nearestName, quote } from "@acp-kit/jsonrpc/internal";
import type { AgentCapabilityPath, ClientCapabilityPath } from "@acp-kit/types";
import { agentCapabilityTree, clientCapabilityTree } from "@acp-kit/types/decode";

/** The path of a capability of an agent in `initialize`, such as `agentCapabilities.loadSession`. */
export type AgentCapability = `agentCapabilities.${AgentCapabilityPath}`;

/**
 * The path of a capability of a client in `initialize`, such as `clientCapabilities.fs.readTextFile`. Two paths belong
 * to the methods of `fileExtensions`, which the protocol does not define.
 */
export type ClientCapability = `clientCapabilities.${ClientCapabilityPath | "fs.deleteFile" | "fs.renameFile"}`;

/**
 * Returns whether a capability is advertised. A capability is advertised if its value is `true` or any object. It is
 * not advertised if its value is absent, `null`, `false` or of another type.
 *
 * `path` begins with the name of the object that contains the capabilities, for example
 * `agentCapabilities.sessionCapabilities.list`.
 *
 * @throws {TypeError} when `path` does not begin with such a name.
 * @see https://agentclientprotocol.com/protocol/v1/initialization#capabilities
 */
export function hasCapability(capabilities: unknown, path: string): boolean {
  const [root = "", ...names] = path.split(".");
  if (names.length === 0 || !/^(agent|client)(Capabilities)?$/.test(root))
    throw new TypeError(
      `The path of a capability begins with "agentCapabilities." or "clientCapabilities.", not ${quote(path, 64)}`,
    );
  let value = capabilities;
  for (const name of names) {
    if (typeof value !== "object" || value === null) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value === true || (typeof value === "object" && value !== null);
}

/**
 * Throws an error for the path of a capability that an agent can't advertise, because asking for it is a mistake: its
 * answer would always be no. The error names the path that was probably meant.
 *
 * @throws {InvalidOptionError}
 */
export function assertAgentCapability(path: unknown): void {
  assertKnown("agentCapabilities.", Object.keys(agentCapabilityTree), path);
}

/** As {@link assertAgentCapability}, for the path of a capability of a client. */
export function assertClientCapability(path: unknown): void {
  const names = [...Object.keys(clientCapabilityTree), "fs.deleteFile", "fs.renameFile"];
  assertKnown("clientCapabilities.", names, path);
}

function assertKnown(prefix: string, names: readonly string[], path: unknown): void {
  const paths = names.map((name) => prefix + name);
  if (typeof path === "string" && paths.includes(path)) return;
  const text = String(path);
  const last = (each: string): string => each.slice(each.lastIndexOf(".") + 1);
  const nearest = nearestName(last(text), paths.map(last));
  const meant =
    paths.find((each) => each.endsWith(`.${text}`)) ??
    nearestName(text, paths) ??
    paths.find((each) => last(each) === nearest);
  throw new InvalidOptionError("offers", text.slice(0, 64), "is not a capability of the protocol", meant);
}
