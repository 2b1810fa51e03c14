import { isRpcError, JsonRpcErrorCode, type RequestId, type Transport } from "@acp-kit/jsonrpc";
import { CANCEL_REQUEST, isThenable } from "@acp-kit/jsonrpc/internal";
import type { CallTypes } from "@acp-kit/protocol/internal";
import type { Clock } from "../clock.js";
import { createIds } from "../ids.js";
import { jsonText } from "../json-text.js";
import {
  idKey,
  kindOf,
  otherSide,
  type Seen,
  type Side,
  type WireMessage,
  type WireRequest,
  type WireResponse,
} from "../wire-message.js";
import { MessageLog } from "./message-log.js";
import { Output } from "./output.js";
import { Responses } from "./responses.js";
import {
  type HeldResponses,
  type IncomingMessage,
  noResponse,
  type PeerEnd,
  type ScriptedPeer,
  type SendOptions,
  type SentRequest,
  type WaitOptions,
} from "./scripted-peer.js";

/** The function that handles the messages of a method, or `undefined` if the script has no handler for the method. */
export type Reaction = ((message: IncomingMessage) => unknown) | undefined;

/** The role that a {@link PlayedScript} plays, its clock, and its handlers. */
export interface Play {
  readonly side: Side;
  readonly clock: Clock;
  readonly reactionTo: (method: string) => Reaction;
  /** Returns the id of the next request; by default, `agent-1`, `agent-2`, …. */
  readonly nextId?: () => RequestId;
  /** Called with every message. If present, the peer sends no message by itself, and calls no other handler. */
  readonly onMessage?: (message: WireMessage) => void;
}

/** A method that no peer handles. When the peer has refused such a request, it has handled all earlier messages. */
const FENCE = "_acp-kit/fence";

/**
 * A running script: responds to messages with the handlers of the script, and sends the messages that the test wants.
 * The params and results have no types here; the interfaces of the scripted agent and client define them.
 */
export class PlayedScript implements ScriptedPeer<CallTypes> {
  readonly side: Side;
  readonly failures: unknown[] = [];
  readonly closed: Promise<PeerEnd>;

  readonly #transport: Transport;
  readonly #play: Play;
  readonly #log: MessageLog;
  readonly #output: Output;
  readonly #responses = new Responses();
  readonly #nextId: () => RequestId;
  readonly #open = new Map<string, AbortController>();
  #resolveClosed: (end: PeerEnd) => void = () => {};

  constructor(transport: Transport, play: Play) {
    this.side = play.side;
    this.#transport = transport;
    this.#play = play;
    const ids = createIds();
    this.#nextId = play.nextId ?? (() => ids(play.side));
    this.#log = new MessageLog(play.side, play.clock);
    this.#output = new Output(transport, play.side, this.#log);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** Starts to receive messages. Before this call, no handler is called. */
  start(): void {
    this.#transport.start({
      message: (value) => this.#received(value),
      malformed: ({ excerpt }) => this.#log.add(otherSide(this.side), undefined, excerpt),
      ended: () => this.#ended({ how: "ended" }),
      failed: (error) => {
        this.#output.end();
        this.#ended({ how: "failed", error });
      },
    });
  }

  get seen(): readonly Seen[] {
    return this.#log.seen;
  }

  // The overloads of the interface define the types; data on the wire is unchecked in any case.
  received(what: string | ((message: WireMessage) => boolean), options?: WaitOptions): Promise<never> {
    const test = typeof what === "string" ? ({ method }: WireMessage) => method === what : what;
    const name = typeof what === "string" ? what : "a message that passes";
    return this.#log.take(name, test, options) as Promise<never>;
  }

  receivedSoFar(method?: string): readonly WireMessage[] {
    const all = this.#log.received();
    return method === undefined ? all : all.filter((message) => message.method === method);
  }

  lastReceived(method: string): WireRequest {
    return this.#log.last(method) as WireRequest;
  }

  responseTo(id: unknown): WireResponse | undefined {
    const key = idKey(id);
    return this.#log
      .received()
      .find((message) => kindOf(message) === "response" && idKey(message.id) === key) as WireResponse;
  }

  forget(): void {
    this.#log.forget();
  }

  request(method: string, params?: unknown, { id = this.#nextId() }: SendOptions = {}): SentRequest<never> {
    const key = idKey(id);
    const isResponse = (message: WireMessage): boolean => kindOf(message) === "response" && idKey(message.id) === key;
    const response = this.#log.next(`the response to ${method} ${JSON.stringify(id)}`, isResponse);
    this.sendValue({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
    return Object.assign(response as Promise<never>, { id });
  }

  notify(method: string, params?: unknown): void {
    this.sendValue({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
  }

  respond(request: { readonly id: RequestId } | RequestId, result: unknown): void {
    this.sendValue({ jsonrpc: "2.0", id: idOf(request), result });
  }

  refuse(request: { readonly id: RequestId } | RequestId, code: number, message = "refused", data?: unknown): void {
    const error = { code, message, ...(data !== undefined && { data }) };
    this.sendValue({ jsonrpc: "2.0", id: idOf(request), error });
  }

  send(...messages: readonly object[]): void {
    for (const message of messages) this.sendValue({ jsonrpc: "2.0", ...message });
  }

  sendValue(value: unknown): void {
    this.#output.value(value);
  }

  sendLine(text: string): void {
    this.#output.line(text);
  }

  sendText(text: string | Uint8Array): void {
    this.#output.text(text);
  }

  together(send: () => void): void {
    this.#output.together(send);
  }

  hold(method: string): HeldResponses {
    return this.#responses.hold(method);
  }

  /** Sends a response to a request of this method, unless the test holds back such responses. */
  respondLater(method: string, respond: () => void): void {
    this.#responses.send(method, respond);
  }

  async fence(): Promise<void> {
    await (this.request(FENCE) as Promise<WireResponse>);
  }

  endOutput(): void {
    this.#output.raw("end one direction").endOutput();
    this.#output.end();
  }

  break(error: unknown = new Error("The script broke the connection")): void {
    this.#output.raw("break").break(error);
    this.#output.end();
    this.#ended({ how: "failed", error });
  }

  async close(): Promise<void> {
    this.#output.end();
    this.#ended({ how: "closed" });
    await this.#transport.close();
    if (this.failures.length > 1)
      throw new AggregateError(this.failures, "The script failed more than once; see the errors");
    if (this.failures.length === 1) throw this.failures[0];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #received(value: unknown): void {
    const kind = kindOf(value);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const message = isObject ? (value as WireMessage) : undefined;
    this.#log.add(otherSide(this.side), message, isObject ? undefined : jsonText(value));
    const { onMessage } = this.#play;
    if (onMessage !== undefined) {
      if (message !== undefined) this.#call(onMessage, message);
      return;
    }
    if (message === undefined || kind === undefined || kind === "response") return;
    if (message.method === CANCEL_REQUEST) this.#cancel(message.params);
    const react = this.#play.reactionTo(message.method as string);
    if (kind === "notification") void this.#hear(message, react);
    else void this.#handle(message as WireMessage & { readonly id: RequestId }, react);
  }

  #call(onMessage: (message: WireMessage) => void, message: WireMessage): void {
    try {
      onMessage(message);
    } catch (error) {
      this.failures.push(error);
    }
  }

  #cancel(params: unknown): void {
    const { requestId } = (params ?? {}) as { readonly requestId?: RequestId };
    if (requestId !== undefined)
      this.#open.get(idKey(requestId))?.abort(new Error("The other side cancelled the request"));
  }

  async #hear(message: WireMessage, react: Reaction): Promise<void> {
    try {
      await react?.(incoming(message, new AbortController().signal));
    } catch (error) {
      this.failures.push(error);
    }
  }

  /** Runs the reaction to a request and sends the response. Without a promise, it responds in the same tick. */
  #handle(request: WireMessage & { readonly id: RequestId }, react: Reaction): void {
    const method = request.method as string;
    if (react === undefined) {
      const refuse = (): void =>
        this.refuse(request, JsonRpcErrorCode.methodNotFound, `The script has no handler for ${method}`);
      this.#responses.send(method, refuse);
      return;
    }
    const controller = new AbortController();
    const key = idKey(request.id);
    this.#open.set(key, controller);
    const settle = (respond: () => void): void => {
      if (this.#open.get(key) === controller) this.#open.delete(key);
      this.#responses.send(method, respond);
    };
    const done = (result: unknown): void => {
      if (result !== noResponse) settle(() => this.respond(request, result ?? {}));
    };
    const failed = (error: unknown): void => {
      if (!isRpcError(error)) this.failures.push(error);
      const { code, message, data } = isRpcError(error)
        ? error
        : { code: JsonRpcErrorCode.internalError, message: `The script failed: ${error}`, data: undefined };
      settle(() => this.refuse(request, code, message, data));
    };
    try {
      const result = react(incoming(request, controller.signal));
      if (isThenable(result)) Promise.resolve(result).then(done).catch(failed);
      else done(result);
    } catch (error) {
      failed(error);
    }
  }

  #ended(end: PeerEnd): void {
    const reason = end.error === undefined ? reasons[end.how] : `${reasons[end.how]}: ${messageOf(end.error)}`;
    this.#resolveClosed(end);
    this.#log.end(reason, end.error);
    this.#responses.end(reason);
    for (const controller of this.#open.values()) controller.abort(new Error(reason, { cause: end.error }));
  }
}

const reasons: Readonly<Record<PeerEnd["how"], string>> = {
  ended: "the other side ended its output",
  failed: "the connection broke",
  closed: "the script closed the connection",
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : jsonText(error);
}

function incoming(message: WireMessage, signal: AbortSignal): IncomingMessage {
  return { id: message.id, method: message.method as string, params: message.params, signal };
}

function idOf(request: { readonly id: RequestId } | RequestId): RequestId {
  return typeof request === "object" && request !== null ? request.id : request;
}
