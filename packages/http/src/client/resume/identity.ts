import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { metaMember, resumeMeta, withMeta } from "../../wire/resume-meta.js";

/** The ids with which a client and a server that keeps sessions continue a conversation on another connection. */
export interface ServerIdentity {
  readonly client: string;
  readonly server: string;
  /** The version of the protocol. */
  readonly version: unknown;
}

/** Returns the ids of client and server in the response to `initialize`; `undefined` without kept sessions. */
export function identityOf(response: JsonObject): ServerIdentity | undefined {
  const client = metaMember(response.result, resumeMeta.client);
  const server = metaMember(response.result, resumeMeta.server);
  if (typeof client !== "string" || typeof server !== "string") return undefined;
  return { client, server, version: (response.result as JsonObject).protocolVersion };
}

/**
 * Adds to an `initialize` request the member that requests the server to keep the conversation. @param client the
 * client's id in an earlier connection, or `true`.
 */
export function askingToResume(initialize: JsonObject, client: string | true = true): JsonObject {
  const params: Record<string, unknown> = withMeta(initialize.params, { [resumeMeta.client]: client });
  // A member of the other version would claim that the client speaks that version
  const members = capabilityMembers.filter((member) => isJsonObject(params[member]));
  for (const member of members.length === 0 ? ["clientCapabilities"] : members)
    params[member] = withMeta(params[member], { [resumeMeta.cursors]: true });
  return { ...initialize, params };
}

/** Returns an `initialize` request that offers one version of the protocol. */
export function offeringOnly(version: unknown, initialize: JsonObject): JsonObject {
  const { params } = initialize;
  if (!isJsonObject(params) || !capabilityMembers.every((member) => isJsonObject(params[member]))) return initialize;
  const offered = capabilityMembers[version === 2 ? 1 : 0];
  const kept = Object.entries(params).filter(([name]) => name === offered || !capabilityMembers.includes(name));
  return { ...initialize, params: { ...Object.fromEntries(kept), protocolVersion: version } };
}

/** The members with the capabilities of a client, of the versions 1 and 2. A client may send both. */
const capabilityMembers = ["clientCapabilities", "capabilities"];

/** Returns whether the application itself has requested cursors. */
export function asksForCursors({ params }: JsonObject): boolean {
  return (
    isJsonObject(params) && capabilityMembers.some((member) => metaMember(params[member], resumeMeta.cursors) === true)
  );
}
