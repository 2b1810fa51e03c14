import type { IncomingMessage } from "./scripted-peer.js";

type React<Peer> = (message: IncomingMessage, peer: Peer) => unknown;

/** The default handlers of a script, by method. */
export type Usual<Peer> = Readonly<Record<string, React<Peer>>>;

/** The handlers of a script, by method; the last registration wins. */
export class Reactions<Peer> {
  readonly #byMethod = new Map<string, React<Peer>>();

  set(method: string, answer: unknown): void {
    this.#byMethod.set(method, typeof answer === "function" ? (answer as React<Peer>) : () => answer);
  }

  /** Returns the script's handler for a method or, if it has none, the default handler in `usual`. */
  of(method: string, peer: Peer, usual: Usual<Peer>): ((message: IncomingMessage) => unknown) | undefined {
    const react = this.#byMethod.get(method) ?? (Object.hasOwn(usual, method) ? usual[method] : undefined);
    return react && ((message) => react(message, peer));
  }
}
