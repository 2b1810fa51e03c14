import { isRpcError } from "@acp-kit/protocol";
import type { ClientPeer } from "../client-peer.js";
import type { Dialects } from "./dialects.js";
import { readError } from "./error-dialects.js";

/** Lets a peer reject with what the agent meant. The errors themselves arrive behind the decoders, so this is the place for it. */
export function readErrors(peer: ClientPeer, dialects: Dialects): void {
  if (dialects.isOff) return;
  const request = peer.request.bind(peer);
  peer.request = (method, params, options) => {
    const answer = request(method, params, options);
    const read = answer.catch((error: unknown) => {
      throw isRpcError(error) ? readError(dialects, method, error) : error;
    });
    read.catch(() => {}); // it may reject for everybody when the connection ends
    return read;
  };
}
