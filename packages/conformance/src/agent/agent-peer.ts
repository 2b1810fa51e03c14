import type { DialogueEntry, DialogueLog } from "../dialogue.js";
import { NO_WORK, type Pace, stopped } from "../pace.js";
import { type Finding, Inconclusive } from "../verdict.js";
import { Waiters } from "../waiters.js";
import { ByteLines } from "../wire/byte-lines.js";
import { idKey, kindOfMessage } from "../wire/conversation.js";
import { emptyBelow, MAX_CONNECTION_BYTES, MAX_LEVELS, wroteTooMuch } from "../wire/input-limits.js";
import type { PeerExit, PeerProcess } from "../wire/peer-process.js";
import { isObject, type Json, member } from "../wire/values.js";
import type { Incoming, RecordedResponse, SentRequest } from "./agent-messages.js";
import type { Limits } from "./agent-options.js";
import { isStopOf, kindOfRequest } from "./request-kinds.js";
import { exitText, lateResponse, type MissingResponse, missingResponse } from "./silence.js";

export { exitText };

/** The kit's response to a request of the agent; `hold` responds later, through {@link AgentPeer.respond}, or never. */
export type Reply = { readonly result: unknown } | { readonly error: Json } | "hold";

/** Acts as the client: called with every request of the agent. */
export type ClientSide = (request: Incoming, peer: AgentPeer) => Reply | Promise<Reply>;

const encoder = new TextEncoder();

/** A connection to a process of the agent, line by line: JSON-RPC only, scenarios know ACP. */
export class AgentPeer {
  readonly log: DialogueLog;
  readonly process: PeerProcess;
  /** All received objects, in order. */
  readonly incoming: Incoming[] = [];
  /** The exit of the process; `undefined` while the process runs. */
  exit: PeerExit | undefined;
  /** Responds to requests of the agent. */
  clientSide: ClientSide = () => ({ error: { code: -32601, message: "Method not found" } });
  readonly #limits: Limits;
  readonly #pace: Pace;
  readonly #folder: string;
  readonly #open = new Map<string, SentRequest>();
  readonly #waiters = new Waiters();
  #nextId = 1;
  #bytes = 0;
  /** Set if the process wrote more than the kit keeps: why the kit ended the process. */
  #overflow: string | undefined;

  /** @param options.folder the directory of its sessions */
  constructor(process: PeerProcess, log: DialogueLog, options: { limits: Limits; pace: Pace; folder: string }) {
    this.process = process;
    this.log = log;
    this.#limits = options.limits;
    this.#pace = options.pace;
    this.#folder = options.folder;
    const lines = new ByteLines((line) => this.#line(line));
    process.onOutput((bytes) => {
      this.#bytes += bytes.length;
      if (this.#bytes > MAX_CONNECTION_BYTES) this.#overflows("connection");
      else lines.push(bytes);
    });
    void process.exited.then((exit) => {
      lines.end();
      this.exit = exit;
      const tail = exit.stderrTail.trim();
      log.event(`the agent's process ended (${exitText(exit)})${tail === "" ? "" : `; standard error: ${tail}`}`);
      this.#waiters.wake();
    });
  }

  /** Sends any JSON value as a line. */
  send(message: unknown): DialogueEntry {
    for (const request of this.#open.values()) if (isStopOf(message, request)) noteStop(request, message);
    const entry = this.log.message("client", message);
    this.process.write(encoder.encode(`${JSON.stringify(message)}\n`));
    return entry;
  }

  /** Writes text unchanged. */
  sendText(text: string, because: string): DialogueEntry {
    const entry = this.log.raw("client", text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text, because);
    this.process.write(encoder.encode(text));
    return entry;
  }

  notify(method: string, params?: unknown): DialogueEntry {
    return this.send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
  }

  respond(request: Incoming, reply: Exclude<Reply, "hold">): DialogueEntry {
    return this.send({ jsonrpc: "2.0", id: request.message.id ?? null, ...reply });
  }

  /** Sends a request and doesn't wait for the response. */
  sendRequest(method: string, params?: unknown, id: unknown = this.#nextId++): SentRequest {
    const message = { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
    return this.expectResponse(id, method, () => this.send(message), params);
  }

  /**
   * Registers a request whose bytes the scenario writes itself, for example in pieces, so that {@link responseTo} can
   * wait for its response. `send` logs the request, and may also write it.
   */
  expectResponse(id: unknown, method: string, send: () => DialogueEntry, params?: unknown): SentRequest {
    const seq = this.log.entries.length;
    const sentAtMs = performance.now();
    const kind = kindOfRequest(method, params, this.#folder);
    const open = { isStopped: false, isCancelled: false, response: undefined, mistypedResponse: undefined };
    const request: SentRequest = { id, method, params, seq, sentAtMs, kind, sinceMs: sentAtMs, ...open };
    this.#open.set(idKey(id), request);
    send();
    return request;
  }

  /**
   * Returns the response to a request, if it arrives within the limit. A later response breaks no rule, but the
   * scenario is inconclusive.
   *
   * @throws {Failure} [`requirement`] if the response is missing or the process ended. [RPC-04] if the id of the
   * response has another JSON type, or if the request is a prompt and `requirement` is only advice.
   * @throws {Inconclusive} if the response was late, or if the agent may only be slow ({@link NoComparableResponse}).
   */
  async responseTo(
    request: SentRequest,
    limitMs: number = this.#limitOf(request.method),
    requirement = "RPC-04",
  ): Promise<RecordedResponse> {
    const isSettled = (): boolean =>
      request.response !== undefined || request.mistypedResponse !== undefined || this.exit !== undefined;
    await this.#waiters.until(isSettled, limitMs);
    if (request.response) return request.response;
    if (this.#overflow !== undefined) throw new Inconclusive(this.#overflow);
    if (!isSettled()) await this.#waiters.until(isSettled, this.#limits.lateResponseTimeoutMs ?? limitMs);
    if (request.response) throw lateResponse(request, limitMs);
    throw this.silence(request, requirement);
  }

  /** Returns why the missing response to a request breaks a rule, or why it possibly breaks no rule. */
  silence(request: SentRequest, requirement: string): MissingResponse {
    const { exit, incoming, log } = this;
    return missingResponse({ request, requirement, exit, incoming, pace: this.#pace, dialogue: log.name });
  }

  /** Sends a request and waits for its response. @throws {Failure} [RPC-04] if there is none. */
  request(
    method: string,
    params?: unknown,
    options: { id?: unknown; timeoutMs?: number } = {},
  ): Promise<RecordedResponse> {
    const request =
      options.id === undefined ? this.sendRequest(method, params) : this.sendRequest(method, params, options.id);
    return this.responseTo(request, options.timeoutMs);
  }

  /** Sends a request that needs no work from the agent. Its response shows that all earlier messages were read. */
  fence(): Promise<RecordedResponse> {
    return this.request("_conformance/fence", {}, { id: `fence-${this.#nextId++}` });
  }

  /**
   * Resolves with the first message, from `since` on, for which `wanted` returns `true`. Resolves with `undefined`
   * after `timeoutMs`, or when the process ends.
   */
  async next(
    wanted: (message: Incoming) => boolean,
    { since = 0, timeoutMs = this.#limits.requestTimeoutMs }: { since?: number; timeoutMs?: number } = {},
  ): Promise<Incoming | undefined> {
    let index = 0;
    let found: Incoming | undefined;
    const isDone = (): boolean => {
      for (; index < this.incoming.length && !found; index++) {
        const message = this.incoming[index];
        if (message && message.seq >= since && wanted(message)) found = message;
      }
      return found !== undefined || this.exit !== undefined;
    };
    await this.#waiters.until(isDone, timeoutMs);
    return found;
  }

  /** Waits for a short time in which forbidden messages could arrive. Resolves earlier if the process ends. */
  quiet(ms: number): Promise<void> {
    return this.#waiters.until(() => this.exit !== undefined, ms);
  }

  /** Resolves with the exit of the process, or `undefined` if it is still running. */
  async ended(timeoutMs: number): Promise<PeerExit | undefined> {
    await this.#waiters.until(() => this.exit !== undefined, timeoutMs);
    return this.exit;
  }

  /** Returns the location of entries in this dialogue, for findings. */
  at(...seqs: readonly number[]): NonNullable<Finding["where"]> {
    return { dialogue: this.log.name, seqs };
  }

  /** Ends a process that writes more than the kit keeps. No rule limits the size of messages. */
  #overflows(what: "line" | "connection"): void {
    if (this.#overflow !== undefined) return;
    this.#overflow = wroteTooMuch(what);
    this.log.event(`${this.#overflow}; the kit ends it`);
    void this.process.kill();
  }

  #line(line: Uint8Array | "too long"): void {
    if (line === "too long") {
      this.#overflows("line");
      return;
    }
    const { text, isUtf8 } = decoded(line);
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.log.raw("agent", text, text.trim() === "" ? "a blank line" : "not JSON");
      return;
    }
    if (!isUtf8) this.log.raw("agent", text, "not UTF-8");
    if (emptyBelow(message))
      this.log.event(`the next message is nested deeper than ${MAX_LEVELS} levels; the kit drops the deeper parts`);
    const { seq } = this.log.message("agent", message);
    if (!isObject(message)) return;
    const kind = kindOfMessage(message);
    const method = typeof message.method === "string" ? message.method : undefined;
    const atMs = performance.now();
    const incoming: Incoming = { seq, atMs, kind, message, method, params: message.params };
    this.incoming.push(incoming);
    if (kind === "response") {
      const { result, error } = message;
      const request = this.#open.get(idKey(message.id));
      if (request) {
        const where = this.at(request.seq, seq);
        request.response = { seq, atMs, where, result, error: isObject(error) ? error : undefined };
        this.#notePace(request, request.response);
      } else this.#noteMistyped(incoming);
      this.#open.delete(idKey(message.id));
    }
    if (kind === "request") void this.#reply(incoming);
    this.#waiters.wake();
  }

  /**
   * Records how long a response took. An error is recorded only for a request with an unknown method, which always gets
   * an error. For any other request, the agent sends an error without the usual work, so its time shows nothing.
   */
  #notePace(request: SentRequest, { result, error, atMs }: RecordedResponse): void {
    const { kind, sinceMs, sentAtMs, params, method } = request;
    // Without this stop reason, a turn that the kit cancelled may have ended by itself before the agent read the
    // cancel.
    const isStopped = member(result, "stopReason") === "cancelled";
    if (isStopped && !error) this.#pace.recordResponseTime(stopped(kind), atMs - sinceMs);
    else if (!error || kind === NO_WORK)
      this.#pace.recordResponseTime(kindOfRequest(method, params, this.#folder), atMs - sentAtMs);
  }

  /** Records a response whose id has another JSON type than the request's: the caller need not wait. */
  #noteMistyped(incoming: Incoming): void {
    const { id } = incoming.message;
    if (typeof id !== "string" && typeof id !== "number") return;
    const request = this.#open.get(idKey(typeof id === "string" ? Number(id) : String(id)));
    if (request) request.mistypedResponse ??= incoming;
  }

  #limitOf(method: string): number {
    const { initializeTimeoutMs, requestTimeoutMs, turnTimeoutMs } = this.#limits;
    return method === "initialize"
      ? initializeTimeoutMs
      : method === "session/prompt"
        ? turnTimeoutMs
        : requestTimeoutMs;
  }

  async #reply(request: Incoming): Promise<void> {
    const reply = await this.#replyTo(request);
    if (reply !== "hold" && !this.exit) this.respond(request, reply);
  }

  /** Returns the reply of the client side; an error if that fails, as writing a file in place of a directory. */
  async #replyTo(request: Incoming): Promise<Reply> {
    try {
      return await this.clientSide(request, this);
    } catch (error) {
      return { error: { code: -32603, message: error instanceof Error ? error.message : String(error) } };
    }
  }
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes("\uFFFD")) return { text, isUtf8: true };
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, isUtf8: true };
  } catch {
    return { text, isUtf8: false };
  }
}

/** Marks a request as stopped, as by `session/cancel`: its response time counts from now, as its own kind. */
function noteStop(request: SentRequest, message: unknown): void {
  request.isStopped = true;
  request.isCancelled ||= member(message, "method") === "session/cancel";
  request.kind = stopped(request.kind);
  request.sinceMs = performance.now();
}
