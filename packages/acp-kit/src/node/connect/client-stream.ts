import { serverFolder } from "@acp-kit/client";
import type { Transport } from "@acp-kit/protocol";

type Message = Parameters<Transport["send"]>[0];
type TransportReceiver = Parameters<Transport["start"]>[0];
type MalformedInput = Parameters<TransportReceiver["malformed"]>[0];

/** After the end of the input: how long the transport waits for the responses to earlier requests, in milliseconds. */
const LAST_RESPONSES_MS = 5_000;

/** Whether and how the client has disconnected. */
export type ClientEnd =
  /** The client is connected. */
  | "none"
  /** The client has closed the stream that this process reads. */
  | "ended"
  /** A stream has failed, or the client has stopped reading the output. */
  | "gone";

/**
 * The transport to the client of a relayed agent, over the standard streams of this process. A connection to a remote
 * agent can't carry invalid messages, or requests before `initialize`. So this transport itself responds to them with
 * an error. It reports the end of the input only after the responses to the last requests.
 *
 * An editor sends the folder that is open on this machine. If the server refuses this folder, the transport sends the
 * request again without a folder, and the session works in the folder that the server chooses.
 */
export class ClientStream implements Transport {
  readonly #transport: Transport;
  readonly #open = new Set<string>();
  readonly #openings = new Map<string, Opening>();
  #receiver: TransportReceiver | undefined;
  #end: ClientEnd = "none";
  #isInitialized = false;
  #lastResponses: NodeJS.Timeout | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Whether and how the client has disconnected. */
  get end(): ClientEnd {
    return this.#end;
  }

  get full(): Promise<void> | undefined {
    return this.#transport.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    this.#transport.start({
      message: (value, size) => this.#received(value, size),
      malformed: (input) => this.#malformed(input),
      ended: () => {
        this.#end = "ended";
        if (this.#open.size === 0) receiver.ended();
        else this.#lastResponses = setTimeout(() => this.#finish(), LAST_RESPONSES_MS);
      },
      failed: (error) => {
        this.#end = "gone";
        clearTimeout(this.#lastResponses);
        receiver.failed(error);
      },
    });
  }

  send(message: Message): number {
    const again = this.#refused(message);
    if (again !== undefined) {
      this.#receiver?.message(again, 0);
      return 0;
    }
    const size = this.#transport.send(message);
    if (!("method" in message) && message.id !== null) {
      this.#open.delete(keyOf(message.id));
      if (this.#lastResponses !== undefined && this.#open.size === 0) this.#finish();
    }
    return size;
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  close(): Promise<void> {
    clearTimeout(this.#lastResponses);
    return this.#transport.close();
  }

  #received(value: unknown, size: number): void {
    if (!isMessage(value)) {
      this.#respond(
        -32_600,
        "A message is one JSON object with a method, a result or an error. Its id is a string, a number or null.",
      );
      return;
    }
    const { method, id } = value as { readonly method?: unknown; readonly id?: unknown };
    if (method === "initialize") this.#isInitialized = true;
    if (!this.#isInitialized) {
      if (method !== undefined && id !== undefined) {
        this.#respond(-32_600, "The first request of a connection is initialize.", id as string | number | null);
      }
      return;
    }
    if (method !== undefined && id !== undefined) this.#open.add(keyOf(id));
    if (isOpening(value)) this.#openings.set(keyOf(id), value);
    this.#receiver?.message(value, size);
  }

  /** Returns the request to send instead, if the message is the server's refusal of the folder in a request. */
  #refused(message: Message): Opening | undefined {
    if ("method" in message || message.id === null) return undefined;
    const opening = this.#openings.get(keyOf(message.id));
    this.#openings.delete(keyOf(message.id));
    const { reason } = Object("error" in message ? message.error.data : undefined) as { readonly reason?: unknown };
    if (opening === undefined || reason !== "folder_not_allowed") return undefined;
    const { additionalDirectories: _, ...params } = opening.params;
    return { ...opening, params: { ...params, cwd: serverFolder } };
  }

  #malformed(input: MalformedInput): void {
    this.#receiver?.malformed(input);
    if (input.kind === "not_json") this.#respond(-32_700, "Parse error");
    else this.#respond(-32_600, input.message);
  }

  #respond(code: number, message: string, id: string | number | null = null): void {
    this.#transport.send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #finish(): void {
    clearTimeout(this.#lastResponses);
    this.#lastResponses = undefined;
    this.#receiver?.ended();
  }
}

/** Returns whether a value is a request, a notification or a response. A server closes the connection after others. */
function isMessage(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if ("id" in value && !isId(value.id)) return false;
  return "method" in value
    ? typeof value.method === "string"
    : "id" in value && ("result" in value || "error" in value);
}

interface Opening {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function isOpening(message: object): message is Opening {
  const { method, id, params } = message as { readonly [member: string]: unknown };
  if (id === undefined || typeof params !== "object" || params === null) return false;
  return method === "session/new" || method === "session/load" || method === "session/resume";
}

function isId(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}

function keyOf(id: unknown): string {
  return `${typeof id} ${String(id)}`;
}
