import type { RequestId } from "@acp-kit/jsonrpc";
import { every, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { kindOfMessage, sessionIdOf } from "../wire/message-kind.js";
import { eventOf } from "../wire/sse-writer.js";
import type { DirectPeer } from "./direct-peer.js";
import { type EventReader, EventStream, type EventStreamOwner } from "./event-stream.js";
import type { AllServerLimits } from "./handler-options.js";

/** The limits of a {@link DirectStream}. */
export type DirectStreamLimits = Pick<AllServerLimits, "maxQueuedBytes" | "keepAliveMs" | "stallTimeoutMs">;

const SWEEP_MS = 1_000;

/**
 * The event stream in response to a POST. For each session that the POST names, it contains the session's updates and
 * the agent's requests. It also contains the responses to the requests in the POST.
 */
export class DirectStream implements EventStreamOwner {
  readonly reader: EventReader;
  readonly #stream: EventStream;
  readonly #maxQueuedBytes: number;
  readonly #stops: (() => void)[];
  #queued = 0;

  constructor(
    peer: DirectPeer,
    requests: readonly JsonObject[],
    { maxQueuedBytes, keepAliveMs, stallTimeoutMs }: DirectStreamLimits,
  ) {
    this.#maxQueuedBytes = maxQueuedBytes;
    const stream = new EventStream(this);
    this.#stream = stream;
    const sessions = new Set(requests.map(sessionIdOf).filter((sessionId) => sessionId !== undefined));
    this.#stops = Array.from(sessions, (sessionId) => peer.follow(sessionId, stream));
    const sweep = (): void => {
      if (stream.isStalled(stallTimeoutMs)) this.#drop();
      else stream.keepAlive(keepAliveMs);
    };
    this.#stops.push(every(SWEEP_MS, sweep));
    this.reader = stream.openFirst();
  }

  queued(difference: number): void {
    this.#queued += difference;
    if (this.#queued > this.#maxQueuedBytes) this.#drop();
  }

  kept(): boolean {
    return true;
  }

  readerChanged(): void {
    if (!this.#stream.hasReader) this.#stop();
  }

  /** Sends the responses when they arrive. After the last response, ends the stream. */
  async respond(answers: readonly Promise<string>[]): Promise<void> {
    await Promise.all(answers.map(async (answer) => this.#stream.push(eventOf(await answer))));
    this.#stop();
    this.#stream.end();
  }

  #drop(): void {
    this.#stop();
    this.#stream.destroy();
  }

  #stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** Performs one request and returns the text of its response. */
export async function respond(peer: DirectPeer, request: JsonObject): Promise<string> {
  if (kindOfMessage(request) === "invalid") {
    const error = { code: -32_600, message: "The message is not a JSON-RPC 2.0 request." };
    return JSON.stringify({ jsonrpc: "2.0", id: null, error });
  }
  const answer = await peer.answer(request);
  return JSON.stringify({ jsonrpc: "2.0", id: request.id as RequestId, ...answer });
}
