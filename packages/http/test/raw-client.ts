import { SseReader } from "../src/wire/sse-reader.js";

/** The `fetch` of a {@link RawClient}. */
export type Send = (request: Request) => Promise<Response>;

const url = "http://localhost/acp";

/** A client of raw HTTP: the test chooses each request and header. */
export class RawClient {
  readonly #send: Send;
  readonly #url: string;
  connectionId = "";
  #nextId = 1;

  constructor(send: Send, at: string = url) {
    this.#send = send;
    this.#url = at;
  }

  post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const all = { "content-type": "application/json", ...this.#connection(), ...headers };
    return this.#send(new Request(this.#url, { method: "POST", headers: all, body: text }));
  }

  /** Sends any request, with the connection's header unless `headers` overrides it. */
  request(method: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(new Request(this.#url, { method, headers: { ...this.#connection(), ...headers } }));
  }

  delete(): Promise<Response> {
    return this.request("DELETE");
  }

  /** Sends `initialize` and keeps the id of the connection. */
  async initialize(headers: Record<string, string> = {}): Promise<Response> {
    const response = await this.post(initializeRequest, headers);
    this.connectionId = response.headers.get("acp-connection-id") ?? "";
    return response;
  }

  /** Sends a JSON-RPC request. Returns the status of the POST and the request's id. */
  async call(
    method: string,
    params: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; id: number }> {
    const id = this.#nextId;
    this.#nextId += 1;
    const { sessionId } = params as { sessionId?: string };
    const session = sessionId === undefined ? {} : { "acp-session-id": sessionId };
    const response = await this.post({ jsonrpc: "2.0", id, method, params }, { ...session, ...headers });
    return { status: response.status, id };
  }

  /** Opens the connection stream or the stream of a session. */
  async stream(sessionId?: string, headers: Record<string, string> = {}): Promise<RawStream> {
    const session = sessionId === undefined ? {} : { "acp-session-id": sessionId };
    return new RawStream(await this.request("GET", { accept: "text/event-stream", ...session, ...headers }));
  }

  /** Creates a session over an open connection stream. */
  async newSession(stream: RawStream): Promise<string> {
    const { id } = await this.call("session/new", { cwd: "/", mcpServers: [] });
    const { result } = await stream.next((message) => message.id === id);
    return (result as { sessionId: string }).sessionId;
  }

  #connection(): Record<string, string> {
    return this.connectionId === "" ? {} : { "acp-connection-id": this.connectionId };
  }
}

export const initializeRequest = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
type Json = any;

/** The events of one response, in order. */
export class RawStream {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #messages: Json[] = [];
  readonly comments: string[] = [];
  /** The ids of the received events. */
  readonly ids: (string | undefined)[] = [];
  readonly #sse: SseReader;

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.ok ? (response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>) : undefined;
    this.#sse = new SseReader(
      {
        event: (data, _, id) => {
          this.#messages.push(JSON.parse(data));
          this.ids.push(id);
        },
        comment: (text) => this.comments.push(text),
        tooLarge: () => {},
      },
      67_108_864,
    );
  }

  get status(): number {
    return this.response.status;
  }

  /** The next matching message. Other messages stay for later calls. */
  async next(fits: (message: Json) => boolean = () => true): Promise<Json> {
    for (;;) {
      const index = this.#messages.findIndex(fits);
      if (index !== -1) return this.#messages.splice(index, 1)[0];
      if (!(await this.#read())) throw new Error("The stream has ended.");
    }
  }

  /** The received messages that no call has returned. */
  get rest(): readonly Json[] {
    return this.#messages;
  }

  /** Resolves when the response ends. */
  async ended(): Promise<void> {
    while (await this.#read());
  }

  async cancel(): Promise<void> {
    await this.#reader?.cancel();
  }

  async #read(): Promise<boolean> {
    const { done = true, value } = (await this.#reader?.read()) ?? {};
    if (value !== undefined) this.#sse.push(value);
    return !done;
  }
}
