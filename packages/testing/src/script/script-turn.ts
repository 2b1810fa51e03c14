import type { RequestId } from "@acp-kit/jsonrpc";
import type { V1AgentCalls } from "@acp-kit/protocol";
import type { Part } from "@acp-kit/protocol/internal";
import type {
  IncomingContentBlock,
  PermissionOption,
  PromptResponse,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
  ToolCall,
  ToolCallUpdate,
} from "@acp-kit/types";
import type { Later } from "./script.js";
import type { NoResponse, ScriptedPeer } from "./scripted-peer.js";

/** A scripted agent that is connected to a client. */
export type ScriptedAgent = ScriptedPeer<V1AgentCalls>;

/** A turn of a scripted agent. When a method returns, its message has been sent. */
export interface ScriptTurn {
  /** The scripted agent. Use it to send raw lines or messages of other sessions, or to end the connection. */
  readonly agent: ScriptedAgent;
  readonly sessionId: string;
  /** The id of the request `session/prompt`. */
  readonly id: RequestId;
  /** The number of the prompt on this connection; the first is 1. */
  readonly number: number;
  readonly prompt: readonly IncomingContentBlock[];
  /** The joined text blocks of the prompt. */
  readonly text: string;
  /** A signal that aborts when the client cancels the turn or disconnects. */
  readonly signal: AbortSignal;
  /** A promise that resolves when {@link signal} aborts. */
  readonly cancelled: Promise<void>;

  /** Sends a chunk of an agent message. */
  message(text: string): void;
  /** Sends a chunk of the agent's thoughts. */
  thought(text: string): void;
  /** Sends a plan; a string becomes a pending entry. */
  plan(
    ...entries: (string | { readonly content: string; readonly status: "pending" | "in_progress" | "completed" })[]
  ): void;
  /** Starts a tool call and returns its id, by default `call-1`, `call-2`, …. */
  toolCall(call: string | (Omit<ToolCall, "toolCallId"> & { readonly toolCallId?: string })): string;
  /** Updates a tool call. */
  toolCallUpdate(toolCallId: string, update: Omit<ToolCallUpdate, "toolCallId">): void;
  /** Sends any update of this session. */
  update(update: SessionUpdate | { readonly sessionUpdate: string }): void;

  /**
   * Sends the client a request about this session and resolves with the result.
   *
   * @throws {RpcError} when the client responds with an error.
   */
  request<Method extends keyof V1AgentCalls["requests"] & string>(
    method: Method,
    params: Omit<Part<V1AgentCalls["requests"], Method, "params">, "sessionId">,
  ): Promise<Part<V1AgentCalls["requests"], Method, "incomingResult">>;
  /** Sends a permission request, by default with the options `allow` and `reject`. */
  requestPermission(toolCallId: string, options?: readonly PermissionOption[]): Promise<RequestPermissionResponse>;
  /** Waits for a time, by the clock of the script. */
  pause(ms: number): Promise<void>;
  /** Responds to the prompt now; updates that the script sends afterwards arrive late. */
  stop(reason: StopReason | PromptResponse): void;
}

/**
 * A function that plays a turn of a scripted agent. The function may return the end of the turn: a stop reason or a
 * result. `undefined` means `end_turn`, or `cancelled` after a cancel; `noResponse` sends no response. If the function
 * throws an `RpcError`, the client receives the error. Any other error becomes `-32603`, and `close()` of the agent
 * then rejects with the error.
 */
export type PlayTurn = (turn: ScriptTurn) => Later<TurnEnd>;

/** The end of a turn: a stop reason, a whole result, or no response. */
export type TurnEnd = StopReason | PromptResponse | NoResponse;
