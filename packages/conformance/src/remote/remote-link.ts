/** One HTTP request of the kit, without the credentials, which the link adds. */
export interface HttpRequest {
  readonly method: "POST" | "GET" | "DELETE";
  /** The headers, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The head of a response, and the part of its body that was read. */
export interface HttpReply {
  readonly status: number;
  /** The headers, by their names in lower case. The values of a repeated header are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The number of its entry in the dialogue. */
  readonly seq: number;
}

/** One event of a stream: its `data`, and the number of its entry in the dialogue (the recorded messages). */
export interface StreamEvent {
  readonly data: string;
  readonly seq: number;
}

/** An open response with `text/event-stream`. */
export interface EventStream {
  readonly head: HttpReply;
  /** The events so far. */
  readonly events: readonly StreamEvent[];
  /** Resolves with the first event that matches, or with `undefined` if the stream ends or the time is over. */
  find(matches: (event: StreamEvent) => boolean, limitMs: number): Promise<StreamEvent | undefined>;
  /** Resolves with whether the server ended the stream within the time. */
  ended(limitMs: number): Promise<boolean>;
  close(): void;
}

/** One frame of a WebSocket. */
export interface Frame {
  readonly kind: "text" | "binary";
  readonly text: string;
  readonly seq: number;
}

/** An open WebSocket. */
export interface FrameLink {
  /** The headers of the 101 response, in lower case. */
  readonly head: HttpReply;
  readonly frames: readonly Frame[];
  sendText(text: string): void;
  sendBinary(bytes: Uint8Array): void;
  find(matches: (frame: Frame) => boolean, limitMs: number): Promise<Frame | undefined>;
  /** Resolves with the close code, or with `undefined` if the socket is still open after the time. */
  closed(limitMs: number): Promise<number | undefined>;
  close(): void;
}

/** The version of HTTP that a request uses. */
export type HttpVersion = "1.1" | "2";

/** The access of scenarios to a server: raw HTTP and WebSocket. Every request is in the dialogue. */
export interface RemoteLink {
  /** Sends a request and reads the whole response. @throws {LinkError} if there is no response. */
  request(request: HttpRequest, version?: HttpVersion): Promise<HttpReply>;
  /**
   * Opens a stream. Resolves with the HTTP reply if the server opens none.
   *
   * @throws {LinkError} if there is no response.
   */
  stream(headers: Readonly<Record<string, string>>): Promise<EventStream | HttpReply>;
  /**
   * Upgrades to WebSocket. Resolves with the HTTP reply if the server refuses the upgrade.
   *
   * @throws {LinkError} if there is no response.
   */
  upgrade(): Promise<FrameLink | HttpReply>;
}

/** Thrown if the network failed, or the server did not respond in time. Neither breaks a rule. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  /** Whether the server may only be slow: the time limit ended the request. */
  readonly isLate: boolean;

  constructor(message: string, { isLate = false }: { readonly isLate?: boolean } = {}) {
    super(message);
    this.isLate = isLate;
  }
}
