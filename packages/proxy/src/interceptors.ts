import type { DeleteFileRequest, Part, RenameFileRequest } from "@acp-kit/protocol/internal";
import type { ProxySession } from "./proxy-session.js";
import type { AgentSide, ClientSide, ProtocolTypes, Version1 } from "./proxy-side.js";

/** A message that an interceptor receives. Its members must not be changed in place. */
export interface ProxyMessage<
  Params = unknown,
  Session = ProxySession | undefined,
  Types extends ProtocolTypes = Version1,
> {
  readonly method: string;
  /**
   * The params, decoded by the tolerant decoders of the protocol when this member is first read. Unknown members are
   * kept.
   *
   * @throws {RpcError} when the params are invalid. An interceptor that does not catch the error refuses the message:
   * the sender of a request gets the error `-32602`.
   */
  readonly params: Params;
  /** The size of the message in bytes. */
  readonly size: number;
  /** The session that the message belongs to, as far as the proxy saw it. */
  readonly session: Session;
  /** Sends messages of the proxy itself to the client. */
  readonly client: ClientSide<Types>;
  /** Sends messages of the proxy itself to the agent. */
  readonly agent: AgentSide<Types>;
  /**
   * A signal that aborts when the sender cancels the request, when the turn of an intercepted prompt or permission
   * request is cancelled, and when the connection ends.
   */
  readonly signal: AbortSignal;
}

/**
 * Forwards an intercepted request: without an argument the received message, with an argument changed params. Resolves
 * with the result of the response.
 *
 * @throws {RpcError} (the promise) when the receiver responds with an error. If the interceptor does not catch the
 * error, the sender gets it unchanged.
 * @throws {TypeError} when it is called a second time or after the response was sent.
 */
export type NextRequest<Params, Result> = (params?: Params) => Promise<Result>;

/**
 * Forwards an intercepted notification: without an argument the received message, with an argument changed params.
 *
 * @throws {TypeError} when it is called a second time or after the interceptor has ended.
 */
export type NextNotification<Params> = (params?: Params) => void;

/**
 * Intercepts requests and notifications whose types the proxy does not know. For a notification, `next` resolves with
 * `undefined`, and the returned value is ignored.
 */
export type AnyInterceptor = (message: ProxyMessage, next: NextRequest<unknown, unknown>) => unknown;

/** Intercepts the requests of one method in one direction. The value that it returns is the response. */
type RequestInterceptor<Types extends ProtocolTypes, Calls, Method extends keyof Calls> = (
  message: ProxyMessage<Part<Calls, Method, "incomingParams">, SessionOf<Part<Calls, Method, "params">>, Types>,
  next: NextRequest<
    Part<Calls, Method, "params"> | Part<Calls, Method, "incomingParams">,
    Part<Calls, Method, "incomingResult">
  >,
) => ResultOf<Calls, Method> | PromiseLike<ResultOf<Calls, Method>>;

type ResultOf<Calls, Method extends keyof Calls> =
  | Part<Calls, Method, "result">
  | Part<Calls, Method, "incomingResult">;

/** The type of the session in messages with these params: messages with a session id always have a session. */
type SessionOf<Params> = Params extends { sessionId: string } ? ProxySession : ProxySession | undefined;

/**
 * An interceptor of requests that holds no later message of its session. Without it, later messages of a session wait
 * until the interceptor has called `next` or has responded. Use it for decisions that a person makes.
 */
export interface FreeInterceptor<Intercept> {
  readonly order: "free";
  readonly intercept: Intercept;
}

/** The interceptors of requests, by method. */
type RequestInterceptors<Types extends ProtocolTypes, Calls> = {
  readonly [Method in keyof Calls]?:
    | RequestInterceptor<Types, Calls, Method>
    | FreeInterceptor<RequestInterceptor<Types, Calls, Method>>;
};

/** Intercepts the notifications of one method in one direction. A notification without a call of `next` is dropped. */
type NotificationInterceptor<Types extends ProtocolTypes, Params, IncomingParams> = (
  message: ProxyMessage<IncomingParams, SessionOf<IncomingParams>, Types>,
  next: NextNotification<Params | IncomingParams>,
) => void | PromiseLike<void>;

/** The interceptors of notifications, by method. */
type NotificationInterceptors<Types extends ProtocolTypes, Calls> = {
  readonly [Method in keyof Calls]?: NotificationInterceptor<
    Types,
    Part<Calls, Method, "params">,
    Part<Calls, Method, "incomingParams">
  >;
};

/** The params of any update. */
type UpdateParams<Types extends ProtocolTypes> = Part<
  Types["clientNotifications"],
  "session/update" & keyof Types["clientNotifications"],
  "incomingParams"
>;

/** The interceptors of updates, by kind. `"*"` intercepts the kinds without an interceptor of their own. */
type UpdateInterceptors<Types extends ProtocolTypes> = {
  readonly [Kind in Types["knownUpdate"]["sessionUpdate"]]?: NotificationInterceptor<
    Types,
    UpdateParams<Types>,
    Omit<UpdateParams<Types>, "update"> & {
      sessionId: string;
      update: Extract<Types["knownUpdate"], { sessionUpdate: Kind }>;
    }
  >;
} & {
  readonly [extension: `_${string}`]: NotificationInterceptor<Types, UpdateParams<Types>, UpdateParams<Types>>;
  readonly "*"?: NotificationInterceptor<Types, UpdateParams<Types>, UpdateParams<Types>>;
};

interface OtherInterceptors {
  /** Intercepts an extension method. */
  readonly [extension: `_${string}`]: AnyInterceptor;
  /** Intercepts every message without an interceptor of its own. */
  readonly "*"?: AnyInterceptor;
}

/** The interceptors of the client's messages, by method. */
export type FromClient<Types extends ProtocolTypes = Version1> = RequestInterceptors<Types, Types["agentRequests"]> &
  NotificationInterceptors<Types, Types["agentNotifications"]> &
  OtherInterceptors;

/** Two requests that some agents send although the protocol does not define them: see `fileExtensions`. */
interface FileRequests {
  "fs/delete_file": {
    params: DeleteFileRequest;
    incomingParams: DeleteFileRequest;
    result: object | null;
    incomingResult: unknown;
  };
  "fs/rename_file": {
    params: RenameFileRequest;
    incomingParams: RenameFileRequest;
    result: object | null;
    incomingResult: unknown;
  };
}

/** The interceptors of the agent's messages, by method. */
export type FromAgent<Types extends ProtocolTypes = Version1> = RequestInterceptors<Types, Types["clientRequests"]> &
  (Types extends Version1 ? RequestInterceptors<Types, FileRequests> : unknown) &
  Omit<NotificationInterceptors<Types, Types["clientNotifications"]>, "session/update"> & {
    /** Intercepts all updates, or the updates of some kinds. */
    readonly "session/update"?:
      | NotificationInterceptor<Types, UpdateParams<Types>, UpdateParams<Types>>
      | UpdateInterceptors<Types>;
  } & OtherInterceptors;
