import type { Transport } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { systemClock } from "../clock.js";
import type { Side, WireMessage } from "../wire-message.js";
import { PlayedScript } from "./play.js";
import { type ScriptOptions, scriptOptionKinds } from "./script.js";
import type { ScriptedPeer } from "./scripted-peer.js";

/** Options of {@link rawPeer}. */
export interface RawPeerOptions extends ScriptOptions {
  /** The role of the peer. It names the peer in `seen` and in errors. The default is `agent`. */
  readonly side?: Side;
  /** Called with every received message, a response included, before the next message is received. */
  readonly onMessage?: (message: WireMessage, peer: ScriptedPeer) => void;
}

const optionKinds: OptionKinds<RawPeerOptions> = {
  ...scriptOptionKinds,
  side: ["agent", "client"],
  onMessage: "function",
};

/**
 * Opens a peer without any behaviour: it responds to nothing and refuses nothing. The test or `onMessage` sends every
 * message, in any order. The transport then belongs to the peer.
 *
 * For a peer with the usual behaviour, use `agentScript` or `clientScript`.
 */
export function rawPeer(transport: Transport, options: RawPeerOptions = {}): ScriptedPeer {
  checkOptions("rawPeer", options, optionKinds);
  const { side = "agent", clock = systemClock, onMessage = () => {} } = options;
  let lastId = 0;
  const peer: PlayedScript = new PlayedScript(transport, {
    side,
    clock,
    nextId: () => ++lastId,
    reactionTo: () => undefined,
    onMessage: (message) => onMessage(message, peer),
  });
  peer.start();
  return peer;
}
