import { deferred } from "@acp-kit/jsonrpc/internal";
import { rawPeer, type ScriptedPeer, type WireMessage } from "@acp-kit/testing";
import type { ServedAgent } from "../src/server/served-agent.js";

/**
 * An agent whose connections are raw peers. `ended` resolves with the error that ended the first connection, if any.
 */
export function scriptedAgent(
  onMessage: (message: WireMessage, peer: ScriptedPeer) => void,
): ServedAgent & { readonly ended: Promise<unknown> } {
  const ended = deferred<unknown>();
  return {
    ended: ended.promise,
    connect(transport) {
      const peer = rawPeer(transport, { onMessage });
      void peer.closed.then(({ error }) => ended.resolve(error));
      return peer;
    },
  };
}
