import type { DialogueEntry, DialogueLog } from "../dialogue.js";
import { weighs } from "../heaviest-tier.js";
import type { Pace } from "../pace.js";
import { requirementOf } from "../requirements/find-requirement.js";
import { tierOf } from "../requirements/tier.js";
import { Failure, type Finding, Inconclusive } from "../verdict.js";
import { ByteLines } from "../wire/byte-lines.js";
import { idKey, kindOfMessage, type MessageKind } from "../wire/conversation.js";
import { emptyBelow, MAX_CONNECTION_BYTES, MAX_LEVELS, wroteTooMuch } from "../wire/input-limits.js";
import type { PeerExit, PeerProcess } from "../wire/peer-process.js";
import { isObject, type Json, shown } from "../wire/values.js";
import type { Limits } from "./agent-options.js";
import { kindOfRequest } from "./request-kinds.js";

/** A message of the agent. */
export interface Incoming {
  readonly seq: number;
  readonly kind: MessageKind;
  readonly message: Json;
  readonly method: string | undefined;
  readonly params: unknown;
}

/** The agent's response to a request. */
export interface Answer {
  readonly seq: number;
  /** `undefined` when it was an error. */
  readonly result: unknown;
  readonly error: Json | undefined;
}

/** A request that was sent. */
export interface Asked {
  readonly id: unknown;
  readonly seq: number;
  readonly method: string;
  readonly sentAtMs: number;
  /** Set when the response arrives; the first response counts. */
  answer: Answer | undefined;
  /** The first response whose id is this one in another JSON type (`"1"` for `1`). */
  mistyped: Incoming | undefined;
}

/** The kit's response to a request of the agent; `hold` responds later, through {@link AgentPeer.respond}, or never. */
export type Reply = { readonly result: unknown } | { readonly error: Json } | "hold";

/** Acts as the client: called with every request of the agent. */
export type ClientSide = (request: Incoming, peer: AgentPeer) => Reply | Promise<Reply>;

const encoder = new TextEncoder();

/** A connection to a process of the agent, line by line. It implements JSON-RPC only; scenarios know the meaning of ACP messages. */
export class AgentPeer {
  readonly log: DialogueLog;
  readonly process: PeerProcess;
  /** All received objects, in order. */
  readonly incoming: Incoming[] = [];
  /** Set as soon as the process has ended. */
  exit: PeerExit | undefined;
  /** Responds to requests of the agent. */
  clientSide: ClientSide = () => ({ error: { code: -32601, message: "Method not found" } });
  readonly #limits: Limits;
  readonly #pace: Pace;
  readonly #open = new Map<string, Asked>();
  readonly #watchers = new Set<() => void>();
  #nextId = 1;
  #bytes = 0;
  /** Why the process was ended, when it wrote more than the kit keeps. */
  #overflow: string | undefined;

  constructor(process: PeerProcess, log: DialogueLog, { limits, pace }: { limits: Limits; pace: Pace }) {
    this.process = process;
    this.log = log;
    this.#limits = limits;
    this.#pace = pace;
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
      this.#changed();
    });
  }

  /** Sends any JSON value as a line. */
  send(message: unknown): DialogueEntry {
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
  ask(method: string, params?: unknown, id: unknown = this.#nextId++): Asked {
    return this.#expect(id, method, () =>
      this.send({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) }),
    );
  }

  /** Waits for the response to a request that is not sent with {@link ask}. */
  expectAnswer(id: unknown, method: string, send: () => DialogueEntry): Asked {
    return this.#expect(id, method, send);
  }

  /**
   * Returns the response to a request. One that comes after its limit is too slow, which breaks no rule.
   *
   * @throws {Failure} the rule that is cited, RPC-04 by default: when it is missing, has an id of another type, or the process ended. A prompt
   * without a response breaks RPC-04, too, so that a rule that is advice doesn't hide it.
   * @throws {Inconclusive} when it came late, or when nothing shows whether the agent is slow or never responds.
   */
  async answerTo(asked: Asked, limitMs: number = this.#limitOf(asked.method), requirement = "RPC-04"): Promise<Answer> {
    const isSettled = (): boolean =>
      asked.answer !== undefined || asked.mistyped !== undefined || this.exit !== undefined;
    await this.#waitUntil(isSettled, limitMs);
    if (asked.answer) return asked.answer;
    if (this.#overflow !== undefined) throw new Inconclusive(this.#overflow);
    if (!isSettled()) await this.#waitUntil(isSettled, this.#limits.graceMs ?? limitMs);
    const waitedMs = performance.now() - asked.sentAtMs;
    if (asked.answer) {
      throw new Inconclusive(
        `too slow for these limits: the response to ${asked.method} took ${seconds(waitedMs)}, ${this.#optionOf(asked.method)} allows ${seconds(limitMs)}`,
      );
    }
    const failed = (received: string, explanation: string, ...seqs: readonly number[]): Failure =>
      new Failure({
        requirement: asked.mistyped ? "RPC-04" : ruleOfMissing(asked.method, requirement),
        sent: `the request ${asked.method} with the id ${shown(asked.id)}`,
        received,
        explanation,
        where: this.at(asked.seq, ...seqs),
      });
    if (asked.mistyped) {
      const { message, seq } = asked.mistyped;
      const text = 'A response carries the id of its request, in value and in type: 7 is not "7".';
      throw failed(`a response with the id ${shown(message.id)}`, text, seq);
    }
    const text = "Each request gets exactly one response with the same id; this one got none in time.";
    if (this.exit) throw failed(`no response: the process ended (${exitText(this.exit)})`, text);
    if (this.#pace.isMissing(kindOfRequest(asked.method), waitedMs))
      throw failed(`no response within ${seconds(waitedMs)}`, text);
    throw new Inconclusive(
      `too slow for these limits: ${asked.method} got no response within ${seconds(waitedMs)}; ${this.#optionOf(asked.method)} gives it more`,
    );
  }

  /** Sends a request and waits for its response. @throws {Failure} [RPC-04] when none comes. */
  request(method: string, params?: unknown, options: { id?: unknown; timeoutMs?: number } = {}): Promise<Answer> {
    const asked = options.id === undefined ? this.ask(method, params) : this.ask(method, params, options.id);
    return this.answerTo(asked, options.timeoutMs);
  }

  /** Sends a request that costs the agent nothing: once its response arrives, the agent has read everything sent before. */
  fence(): Promise<Answer> {
    return this.request("_conformance/fence", {}, { id: `fence-${this.#nextId++}` });
  }

  /** Resolves with the first message, from `since` on, for which `wanted` is true; with `undefined` after `timeoutMs`, or when the process has ended. */
  async next(
    wanted: (message: Incoming) => boolean,
    { since = 0, timeoutMs = this.#limits.answerMs }: { since?: number; timeoutMs?: number } = {},
  ): Promise<Incoming | undefined> {
    let looked = 0;
    let found: Incoming | undefined;
    const look = (): boolean => {
      for (; looked < this.incoming.length && !found; looked++) {
        const message = this.incoming[looked];
        if (message && message.seq >= since && wanted(message)) found = message;
      }
      return found !== undefined || this.exit !== undefined;
    };
    await this.#waitUntil(look, timeoutMs);
    return found;
  }

  /** Waits for a short time in which forbidden messages could arrive. Ends early with the process. */
  quiet(ms: number): Promise<void> {
    return this.#waitUntil(() => this.exit !== undefined, ms);
  }

  /** Resolves with the exit of the process, or `undefined` if it is still running. */
  async ended(timeoutMs: number): Promise<PeerExit | undefined> {
    await this.#waitUntil(() => this.exit !== undefined, timeoutMs);
    return this.exit;
  }

  /** Returns the location of entries in this dialogue, for findings. */
  at(...seqs: readonly number[]): NonNullable<Finding["where"]> {
    return { dialogue: this.log.name, seqs };
  }

  #expect(id: unknown, method: string, send: () => DialogueEntry): Asked {
    const seq = this.log.entries.length;
    const asked: Asked = { id, method, seq, sentAtMs: performance.now(), answer: undefined, mistyped: undefined };
    this.#open.set(idKey(id), asked);
    send();
    return asked;
  }

  /** Ends a process that writes more than the kit keeps: no rule limits a message, so that this breaks none. */
  #overflows(what: "line" | "connection"): void {
    if (this.#overflow !== undefined) return;
    this.#overflow = wroteTooMuch(what);
    this.log.event(`${this.#overflow}; it is ended`);
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
      this.log.event(`the next message is nested deeper than ${MAX_LEVELS} levels: the rest is left out`);
    const { seq } = this.log.message("agent", message);
    if (!isObject(message)) return;
    const kind = kindOfMessage(message);
    const method = typeof message.method === "string" ? message.method : undefined;
    const incoming: Incoming = { seq, kind, message, method, params: message.params };
    this.incoming.push(incoming);
    if (kind === "response") {
      const { result, error } = message;
      const asked = this.#open.get(idKey(message.id));
      if (asked) {
        asked.answer = { seq, result, error: isObject(error) ? error : undefined };
        if (!asked.answer.error) this.#pace.answered(kindOfRequest(asked.method), performance.now() - asked.sentAtMs);
      } else this.#noteMistyped(incoming);
      this.#open.delete(idKey(message.id));
    }
    if (kind === "request") void this.#reply(incoming);
    this.#changed();
  }

  /** Records a response whose id has another JSON type than the request's: then there is no need to wait for the limit. */
  #noteMistyped(incoming: Incoming): void {
    const { id } = incoming.message;
    if (typeof id !== "string" && typeof id !== "number") return;
    const twin = this.#open.get(idKey(typeof id === "string" ? Number(id) : String(id)));
    if (twin) twin.mistyped ??= incoming;
  }

  #limitOf(method: string): number {
    const { startMs, answerMs, turnMs } = this.#limits;
    return method === "initialize" ? startMs : method === "session/prompt" ? turnMs : answerMs;
  }

  #optionOf(method: string): string {
    const name = method === "initialize" ? "start" : method === "session/prompt" ? "turn" : "answer";
    return `--${name}-timeout`;
  }

  async #reply(request: Incoming): Promise<void> {
    const reply = await this.clientSide(request, this);
    if (reply !== "hold" && !this.exit) this.respond(request, reply);
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #waitUntil(done: () => boolean, timeoutMs: number): Promise<void> {
    if (done()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve();
      };
      const look = (): void => void (done() && end());
      const timer = setTimeout(end, timeoutMs);
      this.#watchers.add(look);
    });
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

/** Other requests may wait for a turn to end, and input of an unusual form may be dropped; nothing excuses a prompt without a response. */
function ruleOfMissing(method: string, requirement: string): string {
  return method !== "session/prompt" || weighs(tierOf(requirementOf(requirement))) ? requirement : "RPC-04";
}

/** Describes the exit of a process. */
export function exitText(exit: PeerExit): string {
  return exit.signal ? `signal ${exit.signal}` : `exit code ${exit.exitCode}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
