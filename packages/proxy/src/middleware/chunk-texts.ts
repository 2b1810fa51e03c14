/** Changes a text that arrives in pieces. It may hold back the end of a piece. */
export interface TextFilter {
  /** Returns the text that can be sent now. */
  push(piece: string): string;
  /** Returns the text that was held back, at the end of the whole text. */
  end(): string;
}

/** The params of an update of either version of the protocol. */
export interface UpdateParams {
  readonly sessionId: string;
  readonly update: { readonly sessionUpdate: string };
}

interface ChunkOfText extends UpdateParams {
  readonly update: UpdateParams["update"] & {
    readonly content: { readonly text: string };
    readonly messageId?: unknown;
  };
}

/** Sends updates to the client, in either version of the protocol. */
export interface UpdateReceiver {
  notify(method: "session/update", params: never): void;
}

/** The text of one session that is arriving. */
interface Arriving {
  readonly key: string;
  readonly filter: TextFilter;
  params: ChunkOfText;
}

/** The number of sessions whose held texts are kept. */
const MAX_SESSIONS = 1_000;

/** Passes the texts that agents send in chunks through filters, one for each whole text. */
export class ChunkTexts {
  readonly #create: () => TextFilter;
  /** Changes the params of a chunk before they are sent. */
  readonly #finish: (params: UpdateParams) => UpdateParams;
  readonly #arriving = new Map<string, Arriving>();

  constructor(create: () => TextFilter, finish: (params: UpdateParams) => UpdateParams = (params) => params) {
    this.#create = create;
    this.#finish = finish;
  }

  /** Receives a chunk. `send` is called with what can be sent now, if there is something. */
  push(params: UpdateParams, client: UpdateReceiver, send: (params: never) => void): void {
    const { sessionId } = params;
    const chunk = params as ChunkOfText;
    const { sessionUpdate, messageId } = chunk.update;
    const key = JSON.stringify([sessionUpdate, messageId ?? null]);
    const current = this.#arriving.get(sessionId);
    if (current !== undefined && current.key !== key) this.flush(sessionId, client);
    const arriving = current?.key === key ? current : { key, filter: this.#create(), params: chunk };
    arriving.params = chunk;
    this.#keep(sessionId, arriving, client);
    const text = arriving.filter.push(chunk.update.content.text);
    if (text !== "") send(this.#finish(withText(chunk, text)) as never);
  }

  /** Sends the text of a session that was held back, because another message of the session follows. */
  flush(sessionId: string | undefined, client: UpdateReceiver): void {
    const arriving = this.#arriving.get(sessionId ?? "");
    if (arriving === undefined) return;
    this.#arriving.delete(sessionId ?? "");
    const text = arriving.filter.end();
    if (text !== "") client.notify("session/update", this.#finish(withText(arriving.params, text)) as never);
  }

  #keep(sessionId: string, arriving: Arriving, client: UpdateReceiver): void {
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
export function hasChunkOfText(params: UpdateParams): boolean {
  const { sessionUpdate, content } = params.update as ChunkOfText["update"];
  return sessionUpdate.endsWith("_chunk") && typeof content?.text === "string";
}

function withText({ update, ...params }: ChunkOfText, text: string): ChunkOfText {
  return { ...params, update: { ...update, content: { ...update.content, text } } };
}
