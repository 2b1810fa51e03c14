import type { RequestId } from "@acp-kit/jsonrpc";
import type { Part, V1AgentCalls } from "@acp-kit/protocol";
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
import type { ScriptedAgent } from "./agent-script.js";

/** A turn of a scripted agent. All its messages are sent when a call returns. */
export interface ScriptTurn {
  /** The agent, for everything else: raw lines, other sessions, its end. */
  readonly agent: ScriptedAgent;
  readonly sessionId: string;
  /** The id of the prompt's request. */
  readonly id: RequestId;
  /** 1 for the first prompt of the connection. */
  readonly number: number;
  readonly prompt: readonly IncomingContentBlock[];
  /** The text blocks of the prompt, one after the other. */
  readonly text: string;
  /** Aborts when the client cancels the turn, or has left. */
  readonly signal: AbortSignal;
  /** Resolves when {@link signal} aborts. */
  readonly cancelled: Promise<void>;

  /** Sends a chunk of the agent's message. */
  message(text: string): void;
  /** Sends a chunk of the agent's thoughts. */
  thought(text: string): void;
  /** Sends a plan: strings become pending entries. */
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
   * Sends the client a request about this session, and resolves with the result.
   *
   * @throws {RpcError} when the client refuses.
   */
  request<Method extends keyof V1AgentCalls["requests"] & string>(
    method: Method,
    params: Omit<Part<V1AgentCalls["requests"], Method, "params">, "sessionId">,
  ): Promise<Part<V1AgentCalls["requests"], Method, "incomingResult">>;
  /** Requests permission; by default with the options `allow` and `reject`. */
  requestPermission(toolCallId: string, options?: readonly PermissionOption[]): Promise<RequestPermissionResponse>;
  /** Waits by the clock of the script. */
  pause(ms: number): Promise<void>;
  /** Responds to the prompt now; later updates of the script arrive late. */
  stop(reason: StopReason | PromptResponse): void;
}
