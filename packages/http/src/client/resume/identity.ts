import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { metaMember, resumeMeta, withMeta } from "../../wire/resume-meta.js";

/** The ids with which a client and a server that keeps sessions continue a conversation on another connection. */
export interface ServerIdentity {
  readonly client: string;
  readonly server: string;
}

/** Returns the ids of client and server in the response to `initialize`; `undefined` without kept sessions. */
export function identityOf(response: JsonObject): ServerIdentity | undefined {
  const client = metaMember(response.result, resumeMeta.client);
  const server = metaMember(response.result, resumeMeta.server);
  return typeof client === "string" && typeof server === "string" ? { client, server } : undefined;
}

/**
 * Adds to an `initialize` request the member that requests the server to keep the conversation. @param client the
 * client's id in an earlier connection, or `true`.
 */
export function askingToResume(initialize: JsonObject, client: string | true = true): JsonObject {
  const { params } = initialize;
  const asking = withMeta(params, { [resumeMeta.client]: client });
  const capabilities = withMeta(asking.clientCapabilities, { [resumeMeta.cursors]: true });
  return { ...initialize, params: { ...asking, clientCapabilities: capabilities } };
}

/** Returns whether the application itself has requested cursors. */
export function asksForCursors({ params }: JsonObject): boolean {
  return isJsonObject(params) && metaMember(params.clientCapabilities, resumeMeta.cursors) === true;
}
