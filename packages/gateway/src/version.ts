import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import type { Outcome, SessionParams } from "./journal/journal-entry.js";

/**
 * Another version of the protocol than 1, for the option `versions` of a gateway: `v2` of `@acp-kit/v2/gateway`. The
 * journal of a session has the entries in the version of the session's agent. They are converted when they are
 * delivered to a client of the other version.
 */
export interface GatewayVersion {
  readonly protocolVersion: 2;
  /** Returns params of `initialize` that offer both versions to an agent. @param params those of version 1. */
  offer(params: object): object;
  /** Whether the result of `initialize` is of this version. If not, it is of version 1. */
  isChosen(result: unknown): boolean;
  /** Converts an agent's result of `initialize`. @throws if it is not valid. */
  profile(result: object, to: ProtocolVersion): object;
  /**
   * Converts the MCP servers with which a session is opened.
   *
   * @throws {RpcError} for servers that can't be converted.
   */
  servers(servers: readonly unknown[], to: ProtocolVersion): readonly unknown[];
  /** Finds the ends of the prompts of one session of an agent of this version. */
  work(): AgentWork;
  /** Creates the view of one client. @param of the version of the client; the entries are of the other version. */
  view(of: ProtocolVersion, options: SessionViewOptions): SessionView;
}

/** The versions of the protocol. */
export type ProtocolVersion = 1 | 2;

/** The work of an agent of version 2 in one session. */
export interface AgentWork {
  /**
   * Registers a prompt that is sent to the agent. Call the returned function with the agent's response, which is not
   * the end of the turn.
   *
   * @param onEnd called once, when the work that contains the prompt has ended.
   */
  prompt(onEnd: (outcome: Outcome) => void): (response: Outcome) => void;
  /** Receives an update of the agent. */
  update(update: unknown): void;
}

/** Options of a {@link SessionView}. */
export interface SessionViewOptions {
  /** The capabilities of the client, in its version. */
  readonly capabilities: object;
  /** Receives the converted params of `session/update`, in order. */
  readonly send: (params: SessionParams) => void;
  /** Receives what the conversion loses, each kind once. */
  readonly report: DiagnosticListener;
  /** Runs a function after a time in milliseconds. The returned function cancels it. */
  readonly timer: (ms: number, run: () => void) => () => void;
}

/** A message to a peer of the other version, and the conversion of its result. */
export interface ConvertedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  result(result: unknown): unknown;
  /** Called after the response with the result. */
  responded?(): void;
}

/**
 * What one client sees of a session whose agent speaks the other version. The view depends only on the entries before.
 */
export interface SessionView {
  /**
   * Converts the params of `session/update`, and may change them.
   *
   * @param seq the number of the entry, which names messages without an id.
   */
  update(params: SessionParams, seq: number): void;
  /** A prompt begins. Returns its content for the client. */
  started(prompt: readonly unknown[]): unknown[];
  /** A prompt has ended. Returns its outcome for the client. */
  ended(outcome: Outcome): Outcome;
  /** Converts the members of a response that opens a session. */
  opened(setup: object): object;
  /** Sends the parts of such a response that are updates in the version of the client. */
  announce(setup: object): void;
  /** Sends the settings in the response with which another agent has opened the session. */
  reopened(setup: object): void;
  /** Converts a request of the agent; `undefined` if the client can't receive it. */
  request(method: string, params: SessionParams): ConvertedRequest | undefined;
  /** Converts a request of the client. @throws {RpcError} if the agent can't receive it. */
  call(method: string, params: Readonly<Record<string, unknown>>): ConvertedRequest;
  /** Stops the timers. */
  close(): void;
}
