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

/** A turn that a scripted agent plays. Everything it says is on its way when the call returns. */
export interface ScriptTurn {
  /** The agent, for what has no word here: raw lines, other sessions, its end. */
  readonly agent: ScriptedAgent;
  readonly sessionId: string;
  /** The id of the prompt's request. */
  readonly id: RequestId;
  /** 1 for the first prompt of the connection. */
  readonly number: number;
  readonly prompt: readonly IncomingContentBlock[];
  /** The text blocks of the prompt, one after the other. */
  readonly text: string;
  /** Aborts when the client cancels the turn, or has gone. */
  readonly signal: AbortSignal;
  /** Resolves when {@link signal} aborts. */
  readonly cancelled: Promise<void>;

  /** A chunk of the agent's message. */
  say(text: string): void;
  /** A chunk of the agent's thoughts. */
  think(text: string): void;
  /** A plan whose entries have these words, all pending, or these. */
  plan(
    ...entries: (string | { readonly content: string; readonly status: "pending" | "in_progress" | "completed" })[]
  ): void;
  /** Starts a tool call and returns its id: `call-1`, `call-2`, … unless told. */
  toolCall(call: string | (Omit<ToolCall, "toolCallId"> & { readonly toolCallId?: string })): string;
  /** Goes on with a tool call. */
  toolCallUpdate(toolCallId: string, update: Omit<ToolCallUpdate, "toolCallId">): void;
  /** Any update of this session. */
  update(update: SessionUpdate | { readonly sessionUpdate: string }): void;

  /**
   * Asks the client something of this session, and resolves with the result.
   *
   * @throws {RpcError} when the client refuses.
   */
  ask<Method extends keyof V1AgentCalls["requests"] & string>(
    method: Method,
    params: Omit<Part<V1AgentCalls["requests"], Method, "params">, "sessionId">,
  ): Promise<Part<V1AgentCalls["requests"], Method, "incomingResult">>;
  /** Asks for permission; the options are `allow` and `reject` unless told. */
  askPermission(toolCallId: string, options?: readonly PermissionOption[]): Promise<RequestPermissionResponse>;
  /** Waits by the clock of the script. */
  pause(ms: number): Promise<void>;
  /** Answers the prompt now; what the script says after that comes late. */
  stop(reason: StopReason | PromptResponse): void;
}
