import type { Transport } from "@acp-kit/jsonrpc";
import type { Clock } from "../clock.js";
import { openMemoryPair } from "../memory-pair.js";
import type { RawTransport } from "../raw-transport.js";
import type { Side } from "../wire-message.js";
import { PlayedScript } from "./play.js";
import type { Reactions, Usual } from "./reactions.js";
import type { IncomingMessage } from "./scripted-peer.js";

/** What a connection of a script plays. */
export interface ScriptPlay<Peer> {
  readonly side: Side;
  readonly clock: Clock;
  /** The handlers of the script. */
  readonly reactions: Reactions<Peer>;
  /** The handlers of methods for which the script has none. */
  readonly usual: Usual<Peer>;
  /** Functions that see the messages of a method before the handlers do. */
  readonly first?: Readonly<Record<string, (message: IncomingMessage) => void>>;
  /** Converts the running script to the peer that the test gets. */
  readonly peer: (played: PlayedScript) => Peer;
}

/** Plays a script over a transport. */
export function playScript<Peer>(
  transport: Transport,
  { side, clock, reactions, usual, first = {}, ...play }: ScriptPlay<Peer>,
): Peer {
  const played = new PlayedScript(transport, {
    side,
    clock,
    reactionTo: (method) => {
      const react = reactions.of(method, peer, usual);
      const see = Object.hasOwn(first, method) ? first[method] : undefined;
      if (see === undefined) return react;
      return (message) => {
        see(message);
        return react?.(message);
      };
    },
  });
  const peer = play.peer(played);
  played.start();
  return peer;
}

/** Connects a script to one end of a pair of transports in memory, and returns the other end with it. */
export function playInMemory<Peer extends object>(script: {
  connect(transport: Transport): Peer;
}): Peer & { readonly transport: RawTransport } {
  const [ours, theirs] = openMemoryPair();
  return Object.assign(script.connect(ours), { transport: theirs });
}
