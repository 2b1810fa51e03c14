import {
  Connection,
  type ConnectionOptions,
  type Diagnostic,
  invalidParams,
  JsonRpcErrorCode,
  methodNotFound,
  type RequestContext,
  type RequestOptions,
  RpcError,
  type Tap,
  type Transport,
} from "@acp-kit/jsonrpc";
import {
  isThenable,
  type NotificationHandler,
  type OptionKinds,
  type RequestHandler,
  type Route,
} from "@acp-kit/jsonrpc/internal";
import { DecodeError, type Decoder, type Issue, isDecodeError } from "@acp-kit/types/decode";
import { hasCapability } from "./capabilities.js";
import { CapabilityError } from "./capability-error.js";
import { diagnosticReporter } from "./diagnostic-reporter.js";
import { assertExtensionName, type Extension, type ExtensionName, type Extensions, readResult } from "./extension.js";
import { gateOfFileExtension } from "./file-extensions.js";
import { redactSecrets } from "./redact.js";
import { type RequestTimeouts, requestTimeoutDefaults, timeoutOf } from "./request-timeouts.js";
import type { CallTypes, Part, PeerRole, WireCall, WireHandler } from "./role.js";
import type { StandardSchema } from "./standard-schema.js";

/**
 * A function that checks params or a result before they are sent, in the form of the message. It returns the violations
 * of the schema; an empty list means that the value matches the schema. `@acp-kit/protocol/strict` exports such
 * functions.
 */
export type OutgoingCheck = (
  method: string,
  part: "params" | "result",
  value: unknown,
  protocolVersion: number,
) => readonly Issue[];

/** The limits of a connection, which agents and clients set with the option `limits`. */
export interface ConnectionLimits
  extends Partial<RequestTimeouts>,
    Pick<
      ConnectionOptions,
      "cancelTimeoutMs" | "closeTimeoutMs" | "drainTimeoutMs" | "maxBacklogBytes" | "maxOpenRequests"
    > {}

/** The kinds of the limits, for the check of options. */
export const connectionLimitKinds: OptionKinds<ConnectionLimits> = {
  initializeTimeoutMs: "value",
  requestTimeoutMs: "value",
  cancelTimeoutMs: "value",
  closeTimeoutMs: "value",
  drainTimeoutMs: "value",
  maxBacklogBytes: "value",
  maxOpenRequests: "value",
};

/** The options of a {@link Peer}. */
export interface PeerOptions extends ConnectionLimits, Omit<ConnectionOptions, "fallback" | "requestTimeoutMs"> {
  /**
   * Returns the key of a message's lane, as in `ConnectionOptions`. By default, messages of one session are ordered.
   */
  readonly orderBy?: (method: string, params: unknown) => string | undefined;
  /**
   * Whether taps receive messages without redaction, secrets included. By default, a tap receives
   * `redactSecrets(message)`. A tap that redacts secrets itself, such as `redactingTap` of `@acp-kit/redact` or a
   * recorder, always receives messages unchanged.
   */
  readonly tapSecrets?: boolean | undefined;
  readonly extensions?: Extensions | undefined;
  /**
   * Checks every message before it is sent. By default, messages are not checked, because the TypeScript types already
   * check them, and the check takes time.
   */
  readonly checkOutgoing?: OutgoingCheck | undefined;
}

/** The second argument of a request handler. */
export type PeerContext = RequestContext;

/** The handler of a request, without its types. */
type ProtocolHandler = (params: unknown, context: PeerContext) => unknown;

/** The options that the caller of a request sets. The method determines the other options. */
type CallOptions = Omit<RequestOptions, "decode" | "readError" | "alwaysOrdered">;

/** The options of a request of the protocol. */
interface ProtocolCallOptions<Result> extends CallOptions {
  /**
   * Called with the result before the connection handles any later message of the peer. Code that awaits the request
   * continues a few microtasks later. If the function throws, the request rejects.
   */
  readonly onResult?: ((result: Result) => void) | undefined;
}

/** The capabilities and options with which requests of one method are sent. */
interface Call {
  /** The call is allowed if the peer advertised one of these capabilities. */
  readonly gates: readonly string[] | undefined;
  /** How the messages differ from the form of the caller. */
  readonly wire: WireCall | undefined;
  readonly how: Omit<RequestOptions, "signal" | "onSettled">;
}

/**
 * The protocol version on which client and agent agreed in `initialize`, and the facts that the peer sent about itself.
 */
export interface Agreement {
  readonly protocolVersion: number;
  /** The capabilities that the peer advertised. */
  readonly capabilities: unknown;
  /** The peer's `clientInfo` or `agentInfo`. */
  readonly info?: { readonly name: string; readonly title?: string | null; readonly version: string } | undefined;
}

/**
 * A JSON-RPC connection with the types of the protocol: params and results are decoded, capabilities are checked, and
 * messages of one session are ordered.
 *
 * Agents and clients of every protocol version use this class; the {@link PeerRole} defines the differences.
 */
export class Peer<Calls extends CallTypes> {
  readonly connection: Connection;
  #role!: PeerRole<Calls>;
  readonly #timeouts: RequestTimeouts;
  readonly #check: OutgoingCheck | undefined;
  readonly #report: (diagnostic: Diagnostic) => void;
  /** The capabilities and options of requests, by method. */
  readonly #calls = new Map<string, Call>();
  /** @internal The handlers of the protocol's requests, by the methods with which they were registered. */
  readonly handlers: Map<string, (params: unknown, context: PeerContext) => unknown> = new Map();
  readonly #notifications = new Map<string, NotificationHandler>();
  #agreement: Agreement | undefined;

  constructor(transport: Transport, role: PeerRole<Calls>, options: PeerOptions = {}) {
    const {
      initializeTimeoutMs = requestTimeoutDefaults.initializeTimeoutMs,
      requestTimeoutMs = requestTimeoutDefaults.requestTimeoutMs,
      ...others
    } = options;
    const { extensions, checkOutgoing, tap, tapSecrets = false, ...rest } = others;
    this.#timeouts = { initializeTimeoutMs, requestTimeoutMs };
    this.#check = checkOutgoing;
    this.#report = diagnosticReporter(rest.onDiagnostic);
    this.connection = new Connection(transport, {
      orderBy: sessionOf,
      ...rest,
      ...(tap && { tap: tapSecrets || "redacts" in tap ? tap : withoutSecrets(tap) }),
    });
    this.adopt(role);
    for (const [method, extension] of Object.entries(extensions ?? {})) this.handleExtension(method, extension);
  }

  get role(): PeerRole<Calls> {
    return this.#role;
  }

  /**
   * Continues in another role, because both sides have agreed on its protocol version. Requests and notifications that
   * are sent or received from now on have the form of the role; handlers stay registered, and methods that the role
   * does not have are refused.
   */
  adopt(role: PeerRole<Calls>): void {
    this.#role = role;
    if (role.protocolVersion > 1) this.connection.requireIds();
    this.#calls.clear();
    for (const method of this.handlers.keys()) this.#register(method);
    for (const method of this.#notifications.keys()) this.#registerNotification(method);
    for (const [method, wire] of Object.entries(role.wire?.handlers ?? {})) this.#registerConverted(method, wire);
  }

  /** The result of `initialize`; `undefined` before `initialize`. */
  get agreement(): Agreement | undefined {
    return this.#agreement;
  }

  /** Sets the result of `initialize`. After this call, methods that the peer advertised can be called. */
  setAgreement(agreement: Agreement): void {
    this.#agreement = agreement;
  }

  /** Returns whether the peer advertised the capability at this path, such as `clientCapabilities.terminal`. */
  offers(capability: string): boolean {
    return this.#agreement !== undefined && hasCapability(this.#agreement.capabilities, capability);
  }

  /** Reports a {@link Diagnostic} to the application. It never throws. */
  report(diagnostic: Diagnostic): void {
    this.#report(diagnostic);
  }

  /**
   * Sends a request of the protocol and resolves with its result.
   *
   * @throws {CapabilityError} when the peer did not advertise the method; nothing was sent.
   * @throws {RpcError} when the peer responds with an error.
   * @throws {DecodeError} when the result does not match the schema, or the params do not match it and `checkOutgoing`
   * is set.
   * @throws {ConnectionError} when the connection ends or the deadline passes before the response arrives.
   */
  request<Method extends keyof Calls["requests"] & string>(
    method: Method,
    params: Part<Calls["requests"], Method, "params">,
    options?: ProtocolCallOptions<Part<Calls["requests"], Method, "incomingResult">>,
  ): Promise<Part<Calls["requests"], Method, "incomingResult">> {
    const { gates, wire, how } = this.#calls.get(method) ?? this.#call(method);
    let name: string = method;
    let sent: object | undefined = params as object;
    try {
      if (gates !== undefined) this.#assertOffered(method, gates);
      if (wire !== undefined) {
        name = wire.method ?? method;
        sent = wire.params === undefined ? sent : (wire.params(params as never) as object);
      }
      this.#assertValid(name, "params", sent);
    } catch (error) {
      return rejected(error);
    }
    const response = this.connection.request(name, sent, options === undefined ? how : withOptions(how, options));
    return response as Promise<Part<Calls["requests"], Method, "incomingResult">>;
  }

  /**
   * Sends a notification of the protocol, as {@link Connection.notify} does.
   *
   * @throws {CapabilityError} when the peer did not advertise the method; nothing was sent.
   */
  notify<Method extends keyof Calls["notifications"] & string>(
    method: Method,
    params: Part<Calls["notifications"], Method, "params">,
  ): Promise<void> | undefined {
    const gates = this.#gates(method);
    if (gates !== undefined) this.#assertOffered(method, gates);
    const wire = this.#wire(method);
    const name = wire?.method ?? method;
    const sent = wire?.params === undefined ? params : wire.params(params as never);
    this.#assertValid(name, "params", sent);
    return this.connection.notify(name, sent as object);
  }

  /**
   * Sends an extension request and resolves with its result. `result` decodes the result; without `result`, the
   * returned value is `unknown`.
   *
   * @throws {DecodeError} when the result does not match the schema `result`.
   * @throws {CapabilityError} for a method of `fileExtensions` that the peer did not advertise; nothing was sent.
   */
  extensionRequest<Result = unknown>(
    method: ExtensionName,
    params?: object,
    options: CallOptions & { readonly result?: StandardSchema<Result> } = {},
  ): Promise<Result> {
    assertExtensionName(method);
    const { result, signal, onSettled } = options;
    const gate = gateOfFileExtension(method);
    if (gate !== undefined && !this.offers(gate)) return rejected(new CapabilityError(method, gate));
    const timeoutMs = options.timeoutMs ?? timeoutOf(method, this.#timeouts);
    // An asynchronous schema returns a promise, with whose result the request then resolves
    const decode = result && ((value: unknown) => readResult(result, value) as Result);
    return this.connection.request(method, params, { signal, timeoutMs, onSettled, decode });
  }

  /** Sends an extension notification. */
  extensionNotify(method: ExtensionName, params?: object): Promise<void> | undefined {
    assertExtensionName(method);
    return this.connection.notify(method, params);
  }

  /** Registers the handler of an extension method. */
  handleExtension(method: string, { kind, handle }: Extension): void {
    assertExtensionName(method);
    if (kind === "request") this.connection.onRequest(method, this.#gated(method, handle as RequestHandler));
    else this.connection.onNotification(method, (params) => handle(params, undefined) as undefined);
  }

  /**
   * Registers the handler of a request of the protocol. If the handler returns `undefined`, the result is `{}`. If
   * `checkOutgoing` is set, it checks the result.
   */
  handle<Method extends keyof Calls["incomingRequests"] & string>(
    method: Method,
    handler: (
      params: Part<Calls["incomingRequests"], Method, "incomingParams">,
      context: PeerContext,
    ) =>
      | Part<Calls["incomingRequests"], Method, "result">
      | PromiseLike<Part<Calls["incomingRequests"], Method, "result">>,
  ): void {
    this.handlers.set(method, handler as ProtocolHandler);
    this.#register(method);
  }

  /**
   * Registers the handler of a notification of the protocol. If the handler returns a promise, later messages of the
   * same session wait until it settles.
   */
  handleNotification<Method extends keyof Calls["incomingNotifications"] & string>(
    method: Method,
    handler: (params: Part<Calls["incomingNotifications"], Method, "incomingParams">, size: number) => unknown,
  ): void {
    this.#notifications.set(method, handler as NotificationHandler);
    this.#registerNotification(method);
  }

  #register(method: string): void {
    const { decoders, wire } = this.#role;
    if (wire !== undefined && wire.handlers[method] !== undefined) return;
    const handler = this.handlers.get(method);
    const decoder = decoders.params[method];
    if (wire !== undefined && decoder === undefined) {
      this.connection.onRequest(method, () => {
        throw methodNotFound(method);
      });
    } else if (handler !== undefined) this.#onRequest(method, decoder, handler);
  }

  #registerNotification(method: string): void {
    const { decoders, wire } = this.#role;
    const handler = this.#notifications.get(method);
    if (handler === undefined || (wire !== undefined && wire.handlers[method] !== undefined)) return;
    const decoder = decoders.params[method];
    this.connection.onNotification(
      method,
      handler,
      decoder && ((params) => this.#decode(decoder, method, "params", params)),
    );
  }

  /** Connects a method with the handlers of other names, or of another form. */
  #registerConverted(method: string, { method: to = method, params: paramsOf, result: resultOf }: WireHandler): void {
    const decoder = this.#role.decoders.params[method];
    const nameOf = typeof to === "string" ? () => to : to;
    const convert: ProtocolHandler = (received, context) => {
      const handler = this.handlers.get(nameOf(received as never));
      if (handler === undefined) throw methodNotFound(method);
      const params = paramsOf === undefined ? received : paramsOf(received as never);
      const result = handler(params, context);
      if (resultOf === undefined) return result;
      const converted = (value: unknown): unknown => resultOf((value ?? {}) as never, params as never);
      return isThenable(result) ? result.then(converted) : converted(result);
    };
    this.#onRequest(method, decoder, convert);
  }

  #onRequest(method: string, decoder: Decoder<unknown> | undefined, handler: ProtocolHandler): void {
    const check = (result: unknown): unknown => {
      this.#assertValid(method, "result", result);
      return result ?? {};
    };
    this.connection.onRequest(
      method,
      this.#gated(method, (params, context) => {
        const result = handler(params, context);
        return isThenable(result) ? result.then(check) : check(result);
      }),
      decoder && ((params) => this.#decodeParams(decoder, method, params)),
    );
  }

  /**
   * Wraps a request handler of an agent: until `initialize` has succeeded, requests of all other methods get an error
   * response.
   *
   * @see https://agentclientprotocol.com/protocol/v1/initialization
   */
  #gated(method: string, handler: Route<RequestHandler>["handler"]): RequestHandler {
    if (this.#role.side === "client" || method === "initialize") return handler;
    return (params, context) => {
      if (this.#agreement === undefined) {
        throw new RpcError(JsonRpcErrorCode.invalidRequest, `${method} arrived before the connection was initialized`);
      }
      return handler(params, context);
    };
  }

  #call(method: string): Call {
    const { readError, decoders, ordered } = this.#role;
    const wire = this.#wire(method);
    const name = wire?.method ?? method;
    const decoder = decoders.results[name];
    const decode = decoder && ((result: unknown) => this.#decode(decoder, name, "result", result));
    const resultOf = wire?.result;
    const call: Call = {
      gates: this.#gates(method),
      wire,
      how: {
        timeoutMs: timeoutOf(method, this.#timeouts),
        alwaysOrdered: ordered?.has(method) ?? false,
        decode: resultOf === undefined ? decode : (result) => resultOf((decode ? decode(result) : result) as never),
        readError: readError && ((error) => readError(method, error)),
      },
    };
    this.#calls.set(method, call);
    return call;
  }

  /** The table is an object with the names of methods only, so a name such as `constructor` is none of them. */
  #wire(method: string): WireCall | undefined {
    const calls = this.#role.wire?.calls;
    return calls === undefined || !Object.hasOwn(calls, method) ? undefined : calls[method];
  }

  #gates(method: string): readonly string[] | undefined {
    for (const table of this.#role.calls) {
      const gates = table[method]?.capability;
      if (gates !== undefined) return gates;
    }
    return undefined;
  }

  #assertOffered(method: string, gates: readonly string[]): void {
    if (gates.some((gate) => this.offers(gate))) return;
    throw new CapabilityError(method, gates.map(wirePath).join(" or "));
  }

  #assertValid(method: string, part: "params" | "result", value: unknown): void {
    if (this.#check === undefined) return;
    const issues = this.#check(method, part, value, this.#role.protocolVersion);
    if (issues.length > 0) throw new DecodeError(issues);
  }

  #decodeParams(decoder: Decoder<unknown>, method: string, params: unknown): unknown {
    try {
      return this.#decode(decoder, method, "params", params);
    } catch (error) {
      if (!isDecodeError(error)) throw error;
      throw invalidParams(`Invalid params: ${error.message}`, { issues: error.issues });
    }
  }

  #decode(decoder: Decoder<unknown>, method: string, part: "params" | "result", value: unknown): unknown {
    const result = decoder.try(value);
    if (!result.ok) throw new DecodeError(result.issues);
    if (result.salvaged.length > 0) {
      const message = `Parts of the ${part} of ${method} do not match the schema; they were dropped`;
      this.#report({ code: "salvaged", message, method, data: result.salvaged });
    }
    return result.value;
  }
}

function withoutSecrets(tap: Tap): Tap {
  return (event) => tap({ ...event, message: redactSecrets(event.message) });
}

/**
 * Converts the path of a capability in the tables, `agent.loadSession`, to its path in `initialize`,
 * `agentCapabilities.loadSession`.
 */
function wirePath(path: string): string {
  return path.replace(/^(agent|client)\./, "$1Capabilities.");
}

/** Returns the key of a message's lane: the session id, because messages of one session are handled in order. */
function sessionOf(_method: string, params: unknown): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { sessionId } = params as { sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}

/**
 * Returns all options of a request. `signal` and `onSettled` are before the spread, because V8 gives each object that
 * gains members after a spread a hidden class of its own.
 */
function withOptions<Result>(
  how: Call["how"],
  { signal, timeoutMs = how.timeoutMs, onSettled, onResult }: ProtocolCallOptions<Result>,
): RequestOptions {
  const { decode } = how;
  const decodeAndCall = (value: unknown): unknown => {
    const result = decode === undefined ? value : decode(value);
    onResult?.(result as Result);
    return result;
  };
  return { signal, onSettled, ...how, timeoutMs, decode: onResult === undefined ? decode : decodeAndCall };
}

function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
