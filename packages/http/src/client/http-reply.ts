/** Reads a body in chunks. The reader of a web stream is one. */
export interface ReplyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The parts of a `Response` that the client reads. In Node, an object without web streams is faster. */
export interface HttpReply {
  readonly status: number;
  /** Whether the status is from 200 to 299. */
  readonly ok: boolean;
  readonly headers: {
    get(name: string): string | null;
    /** The values of `Set-Cookie`. Missing in browsers, which store cookies themselves. */
    getSetCookie?(): string[];
  };
  readonly body: { getReader(): ReplyReader } | null;
}

/** Sends a request. Resolves when the status and headers of its response have arrived, as `fetch` does. */
export type SendHttp = (url: string, init: RequestInit) => Promise<HttpReply>;
