import type { SessionUpdate } from "@acp-kit/schema";
import type { AgentPeer } from "./agent-peer.js";

/** A promise for room to send more, or nothing when there is room. Await it to send no faster than the client reads. */
export type Sent = Promise<void> | undefined;

/**
 * The way of one session's updates to the client.
 *
 * No update leaves before the response that created the session: until {@link open} they are held. After {@link close} they
 * are dropped and reported.
 */
export class SessionChannel {
  readonly sessionId: string;
  readonly #peer: AgentPeer;
  readonly #maxHeld: number;
  #state: "held" | "open" | "closed" = "held";
  #held: SessionUpdate[] = [];

  constructor(peer: AgentPeer, sessionId: string, maxHeld: number) {
    this.#peer = peer;
    this.#maxHeld = maxHeld;
    this.sessionId = sessionId;
  }

  send(update: SessionUpdate): Sent {
    if (this.#state === "open") return this.#peer.notify("session/update", { sessionId: this.sessionId, update });
    if (this.#state === "held" && this.#held.length < this.#maxHeld) {
      this.#held.push(update);
      return undefined;
    }
    const why = this.#state === "held" ? "too many updates wait for it to be created" : "it was closed";
    const message = `A ${update.sessionUpdate} for session ${this.sessionId} was dropped: ${why}`;
    this.#peer.report({ code: "update_dropped", message });
    return undefined;
  }

  /** The client knows the session: what was held leaves, in order. */
  open(): void {
    this.#state = "open";
    const held = this.#held;
    this.#held = [];
    for (const update of held) void this.send(update);
  }

  /** The session could not be opened after all, or not yet: updates are held again. */
  hold(): void {
    this.#state = "held";
  }

  close(): void {
    this.#state = "closed";
    this.#held = [];
  }
}
