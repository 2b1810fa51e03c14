import type { Message, Transport } from "@acp-kit/jsonrpc";
import * as v2 from "@acp-kit/schema/v2/validate";
import type { ValidatorTable } from "@acp-kit/schema/validate";
import * as v1 from "@acp-kit/schema/validate";

type Json = Record<string, unknown>;

/** The validators of what a role sends, by version. */
const validators: Readonly<Record<string, ValidatorTable>> = {
  "agent 1": v1.agentValidators,
  "agent 2": v2.agentValidators,
  "client 1": v1.clientValidators,
  "client 2": v2.clientValidators,
};

/**
 * A scripted peer that sends any message, and checks each message that it receives against the schema of its version.
 */
export class RawPeer {
  readonly received: Json[] = [];
  /** What the other side sent although its version forbids it. */
  readonly faults: string[] = [];
  readonly #transport: Transport;
  readonly #sender: ValidatorTable;
  readonly #version: number;
  readonly #asked = new Map<unknown, string>();
  #requests = 0;
  end: "open" | "ended" | { error: unknown } = "open";
  /** Handles each received message at once. */
  onMessage: (message: Json) => void = () => {};

  constructor(transport: Transport, sender: string) {
    this.#transport = transport;
    this.#version = Number(sender.at(-1));
    this.#sender = validators[sender] as ValidatorTable;
    transport.start({
      message: (value) => this.#receive(value as Json),
      malformed: ({ message }) => this.faults.push(message),
      ended: () => {
        this.end = "ended";
      },
      failed: (error) => {
        this.end = { error };
      },
    });
  }

  send(message: object): void {
    this.#transport.send({ jsonrpc: "2.0", ...message } as Message);
  }

  /** Sends any value. */
  sendRaw(value: unknown): void {
    this.#transport.send(value as Message);
  }

  request(method: string, params?: unknown, id?: unknown): unknown {
    this.#requests += 1;
    const used = id === undefined ? this.#requests : id;
    this.#asked.set(used, method);
    this.send({ id: used, method, params });
    return used;
  }

  notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  update(update: object, sessionId = "s"): void {
    this.notify("session/update", { sessionId, update });
  }

  respond(id: unknown, result: unknown): void {
    this.send({ id, result });
  }

  fail(id: unknown, code: number, message = "refused", data?: unknown): void {
    this.send({ id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  /** The last received request of a method. */
  asked(method: string): { id: unknown; params: never } {
    const found = this.received.findLast((message) => message.method === method && "id" in message);
    if (found === undefined) throw new Error(`${method} was not received, only ${JSON.stringify(this.received)}`);
    return found as never;
  }

  /** The response to a request. */
  response(id: unknown): { result?: never; error?: { code: number; message: string; data?: unknown } } | undefined {
    return this.received.find((message) => message.method === undefined && message.id === id) as never;
  }

  /** The received updates of a session. */
  updates(sessionId = "s"): Json[] {
    return this.received
      .filter(({ method, params }) => method === "session/update" && (params as Json).sessionId === sessionId)
      .map(({ params }) => (params as Json).update as Json);
  }

  clear(): void {
    this.received.length = 0;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #receive(message: Json): void {
    this.received.push(message);
    const { method, params, result, id } = message;
    const validate =
      method === undefined
        ? result === undefined
          ? undefined
          : this.#sender.results[this.#asked.get(id) ?? ""]
        : this.#sender.params[method as string];
    // Until the versions are negotiated, a message can be one of the other version.
    const named = ((method === undefined ? result : params) as Json | undefined)?.protocolVersion;
    if (named !== undefined && named !== this.#version) {
      this.onMessage(message);
      return;
    }
    const [fault] = validate?.(method === undefined ? result : params) ?? [];
    if (fault !== undefined)
      this.faults.push(`${fault.path.join(".")}: ${fault.message} in ${JSON.stringify(message)}`);
    this.onMessage(message);
  }
}
