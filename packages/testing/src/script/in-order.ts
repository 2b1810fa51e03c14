import { RpcError } from "@acp-kit/jsonrpc";
import { type IncomingMessage, type NoResponse, noResponse } from "./scripted-peer.js";

/** The response to one request: a result, an error object, or none. */
export type OrderedResponse =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | NoResponse;

/**
 * Returns a handler that uses each response once, in order: the first request gets the first response, the second
 * request the second. Pass it to `on` of a script.
 *
 * A request after the last response makes the script fail: the peer receives the error `-32603`, and `close()` of the
 * scripted peer rejects. The handler counts the requests, so create a new handler for each connection.
 */
export function inOrder(responses: readonly OrderedResponse[]): (message: IncomingMessage) => unknown {
  let next = 0;
  return ({ method }) => {
    const response = responses[next];
    next += 1;
    if (response === undefined) {
      throw new Error(`The script has ${responses.length} responses to ${method}, and this is request ${next}`);
    }
    if (response === noResponse || "result" in response) return response === noResponse ? response : response.result;
    const { code, message, data } = response.error;
    throw new RpcError(code, message, data === undefined ? {} : { data });
  };
}
