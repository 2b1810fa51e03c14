import type { Part } from "@acp-kit/protocol/internal";
import type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
  KnownSessionUpdate,
} from "@acp-kit/types";

/** The types of one version of the protocol, by the side that handles the messages. */
export interface ProtocolTypes {
  readonly agentRequests: object;
  readonly agentNotifications: object;
  readonly clientRequests: object;
  readonly clientNotifications: object;
  readonly knownUpdate: { readonly sessionUpdate: string };
}

/** Version 1 of the protocol. */
export interface Version1 extends ProtocolTypes {
  readonly agentRequests: AgentRequests;
  readonly agentNotifications: AgentNotifications;
  readonly clientRequests: ClientRequests;
  readonly clientNotifications: ClientNotifications;
  readonly knownUpdate: KnownSessionUpdate;
}

/** Sends messages of a proxy itself to one side. They do not wait for held messages. */
export interface ProxySide<Requests, Notifications> {
  /**
   * Sends a request and resolves with its result.
   *
   * @throws {RpcError} when the receiver responds with an error, or with an invalid result.
   * @throws {CapabilityError} when the receiver did not advertise the capability that the method needs.
   * @throws {ConnectionError} when the connection has ended or ends.
   */
  request<Method extends keyof Requests & string>(
    method: Method,
    params: Part<Requests, Method, "params">,
    options?: ProxyRequestOptions,
  ): Promise<Part<Requests, Method, "incomingResult">>;
  request(method: `_${string}`, params?: unknown, options?: ProxyRequestOptions): Promise<unknown>;

  /** Sends a notification. Does nothing after the connection has ended. */
  notify<Method extends keyof Notifications & string>(
    method: Method,
    params: Part<Notifications, Method, "params">,
  ): void;
  notify(method: `_${string}`, params?: unknown): void;
}

/** Options of a request that a proxy sends itself. */
export interface ProxyRequestOptions {
  /** A signal that cancels the request. The request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Sends messages of a proxy to the client. */
export type ClientSide<Types extends ProtocolTypes = Version1> = ProxySide<
  Types["clientRequests"],
  Types["clientNotifications"]
>;

/** Sends messages of a proxy to the agent. */
export type AgentSide<Types extends ProtocolTypes = Version1> = ProxySide<
  Types["agentRequests"],
  Types["agentNotifications"]
>;
