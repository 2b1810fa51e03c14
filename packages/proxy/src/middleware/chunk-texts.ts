import type { ContentChunk, IncomingSessionNotification } from "@acp-kit/types";
import type { ClientSide } from "../proxy-side.js";

/** Changes a text that arrives in pieces. It may hold back the end of a piece. */
export interface TextFilter {
  /** Returns the text that can be sent now. */
  push(piece: string): string;
  /** Returns the text that was held back, at the end of the whole text. */
  end(): string;
}

/** The text of one session that is arriving. */
interface Arriving {
  readonly key: string;
  readonly filter: TextFilter;
  params: IncomingSessionNotification;
}

type ChunkOfText = IncomingSessionNotification & {
  readonly update: ContentChunk & { readonly sessionUpdate: string; readonly content: { readonly text: string } };
};

/** The number of sessions whose held texts are kept. */
const MAX_SESSIONS = 1_000;

/** Passes the texts that agents send in chunks through filters, one for each whole text. */
export class ChunkTexts {
  readonly #create: () => TextFilter;
  /** Changes the params of a chunk before they are sent. */
  readonly #finish: (params: IncomingSessionNotification) => IncomingSessionNotification;
  readonly #arriving = new Map<string, Arriving>();

  constructor(
    create: () => TextFilter,
    finish: (params: IncomingSessionNotification) => IncomingSessionNotification = (params) => params,
  ) {
    this.#create = create;
    this.#finish = finish;
  }

  /** Receives a chunk. `send` is called with what can be sent now, if there is something. */
  push(
    params: IncomingSessionNotification,
    client: ClientSide,
    send: (params: IncomingSessionNotification) => void,
  ): void {
    const { sessionId } = params;
    const chunk = params as ChunkOfText;
    const { sessionUpdate, messageId } = chunk.update as { sessionUpdate: string; messageId?: unknown };
    const key = JSON.stringify([sessionUpdate, messageId ?? null]);
    const current = this.#arriving.get(sessionId);
    if (current !== undefined && current.key !== key) this.flush(sessionId, client);
    const arriving = current?.key === key ? current : { key, filter: this.#create(), params };
    arriving.params = params;
    this.#keep(sessionId, arriving, client);
    const text = arriving.filter.push(chunk.update.content.text);
    if (text !== "") send(this.#finish(withText(params, text)));
  }

  /** Sends the text of a session that was held back, because another message of the session follows. */
  flush(sessionId: string | undefined, client: ClientSide): void {
    const arriving = this.#arriving.get(sessionId ?? "");
    if (arriving === undefined) return;
    this.#arriving.delete(sessionId ?? "");
    const text = arriving.filter.end();
    if (text !== "") client.notify("session/update", this.#finish(withText(arriving.params, text)) as never);
  }

  #keep(sessionId: string, arriving: Arriving, client: ClientSide): void {
    this.#arriving.delete(sessionId);
    this.#arriving.set(sessionId, arriving);
    if (this.#arriving.size <= MAX_SESSIONS) return;
    for (const oldest of this.#arriving.keys()) {
      this.flush(oldest, client);
      return;
    }
  }
}

/** Returns whether params of an update contain a chunk of text. */
export function hasChunkOfText(params: IncomingSessionNotification): boolean {
  const { sessionUpdate, content } = params.update as { sessionUpdate: string; content?: { text?: unknown } | null };
  return sessionUpdate.endsWith("_chunk") && typeof content?.text === "string";
}

function withText(params: IncomingSessionNotification, text: string): IncomingSessionNotification {
  const { update } = params as ChunkOfText;
  return { ...params, update: { ...update, content: { ...update.content, text } } as never };
}
