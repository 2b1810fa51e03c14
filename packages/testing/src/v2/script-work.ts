import type { RequestId } from "@acp-kit/jsonrpc";
import type { Part } from "@acp-kit/protocol/internal";
import type { V2AgentCalls } from "@acp-kit/protocol/v2";
import type {
  BackgroundWork,
  ContentBlock,
  IncomingContentBlock,
  IncomingRequestPermissionResponse,
  PermissionOption,
  PlanEntry,
  RequestPermissionSubject,
  SessionUpdate,
  ToolCallUpdate,
} from "@acp-kit/types/v2";
import type { Later } from "../script/script.js";
import type { NoResponse, ScriptedPeer } from "../script/scripted-peer.js";

/** A scripted agent of version 2 that is connected to a client. */
export interface V2ScriptedAgent extends ScriptedPeer<V2AgentCalls> {
  /** Starts work that no prompt has caused. Resolves when it has ended. */
  work(sessionId: string, play: V2PlayWork): Promise<void>;
  /** Reports the background work of a session. Every later state of the session lists it, too. */
  background(sessionId: string, work: readonly BackgroundWork[]): void;
}

/**
 * The work of a scripted agent of version 2 for one prompt, or work that the agent has started by itself. When a method
 * returns, its message has been sent.
 *
 * A prompt is held until the script inserts it into the conversation: by {@link insert}, by the first update of the
 * work, or at the latest by the end of the work.
 */
export interface V2ScriptWork {
  /** The scripted agent. Use it to send raw lines, states in a wrong order or messages of other sessions. */
  readonly agent: V2ScriptedAgent;
  readonly sessionId: string;
  /** The id of the request `session/prompt`; `undefined` for work that the agent has started by itself. */
  readonly id: RequestId | undefined;
  readonly prompt: readonly IncomingContentBlock[];
  /** The joined text blocks of the prompt. */
  readonly text: string;
  /** A signal that aborts when the client cancels the session's work, closes the session or disconnects. */
  readonly signal: AbortSignal;
  /** A promise that resolves when {@link signal} aborts. */
  readonly cancelled: Promise<void>;

  /**
   * Inserts the prompt: sends its user message and the state `running`, and responds to the request. Further calls do
   * nothing.
   */
  insert(): void;
  /** Sends a chunk of an agent message. By default, all chunks of the work belong to one message. Returns its id. */
  message(text: string, messageId?: string): string;
  /** Sends a chunk of the agent's thoughts; otherwise like {@link message}. */
  thought(text: string, messageId?: string): string;
  /** Sends a whole agent message, by default a new one. With the id of a known message, it replaces that message. */
  wholeMessage(content: string | readonly ContentBlock[], messageId?: string): string;
  /** Sends the plan `main`; a string becomes a pending entry. */
  plan(...entries: (string | Pick<PlanEntry, "content" | "status">)[]): void;
  /** Sends the first update of a tool call and returns its id, by default `call-1`, `call-2`, …. */
  toolCall(call: string | Partial<ToolCallUpdate>): string;
  toolCallUpdate(toolCallId: string, update: Omit<ToolCallUpdate, "toolCallId">): void;
  /** Sends a state of the session, such as `requires_action`, with the background work of the session. */
  state(state: string): void;
  /** Sends any update. Except for states, the session's history for `session/resume` contains it. */
  update(update: SessionUpdate | { readonly sessionUpdate: string }): void;
  /**
   * Sends a request about this session and resolves with the result.
   *
   * @throws {RpcError} when the client responds with an error.
   */
  request<Method extends keyof V2AgentCalls["requests"] & string>(
    method: Method,
    params: Omit<Part<V2AgentCalls["requests"], Method, "params">, "sessionId">,
  ): Promise<Part<V2AgentCalls["requests"], Method, "incomingResult">>;
  /**
   * Sends a permission request between the states `requires_action` and `running`. The default options are `allow` and
   * `reject`.
   */
  requestPermission(
    title: string,
    request?: { readonly subject?: RequestPermissionSubject; readonly options?: readonly PermissionOption[] },
  ): Promise<IncomingRequestPermissionResponse>;
  /** Waits for a time, by the clock of the script. */
  pause(ms: number): Promise<void>;
}

/**
 * A function that does the work for a prompt. It may return the stop reason; `undefined` means `end_turn`, or
 * `cancelled` after a cancel, and `noResponse` never ends the work. If other work of the session is still running, that
 * work ends with its own stop reason.
 *
 * An `RpcError` that is thrown before the prompt is inserted becomes the response to the prompt; one that is thrown
 * later ends the work with the stop reason `error`. So does any other error, and `close()` of the agent then rejects
 * with it.
 */
export type V2PlayWork = (work: V2ScriptWork) => Later<string | NoResponse>;
