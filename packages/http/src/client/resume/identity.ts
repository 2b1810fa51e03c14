import { isJsonObject, type JsonObject } from "../../wire/message-kind.js";
import { metaMember, resumeMeta, withMeta } from "../../wire/resume-meta.js";

/** What a server that keeps sessions says of itself. */
export interface ServerIdentity {
  readonly client: string;
  readonly server: string;
}

/** The ids of client and server in the `_meta` of the response to `initialize`; `undefined` if the server does not keep sessions for clients that reconnect. */
export function identityOf(response: JsonObject): ServerIdentity | undefined {
  const client = metaMember(response.result, resumeMeta.client);
  const server = metaMember(response.result, resumeMeta.server);
  return typeof client === "string" && typeof server === "string" ? { client, server } : undefined;
}

/** The request `initialize` of a client that wants to survive its connections. @param client the id under which it was known. */
export function askingToResume(initialize: JsonObject, client: string | true = true): JsonObject {
  const { params } = initialize;
  const asking = withMeta(params, { [resumeMeta.client]: client });
  const capabilities = withMeta(asking.clientCapabilities, { [resumeMeta.cursors]: true });
  return { ...initialize, params: { ...asking, clientCapabilities: capabilities } };
}

/** Whether the application itself wants cursors. */
export function asksForCursors({ params }: JsonObject): boolean {
  return isJsonObject(params) && metaMember(params.clientCapabilities, resumeMeta.cursors) === true;
}
