import type { TextStreamPart, ToolSet, UIMessageChunk } from "ai";

/** The types of the parts of `fullStream`, in the installed major version of `ai`. */
export type TextStreamPartType = TextStreamPart<ToolSet>["type"];

/** The types of the chunks of a UI message stream; all custom types of an application count as one. */
export type UiMessageChunkType = Exclude<UIMessageChunk["type"], `data-${string}`> | "data-*";

/** The types of parts that version 7 of `ai` has and version 6 does not have. */
export type NewerPartType =
  | "custom"
  | "ping"
  | "reasoning-file"
  | "reset-step"
  | "steering-message"
  | "tool-approval-response";

/** A part of either stream of the AI SDK, of any major version of `ai`: the input of `pipe`. */
export interface StreamPart {
  readonly type: string;
}

/**
 * The members of stream parts that the handlers read. The two kinds of streams and the versions of `ai` use different
 * names. All names are listed, and all are optional.
 *
 * @internal
 */
export interface AnyPart extends StreamPart {
  readonly id?: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly title?: string;
  readonly input?: unknown;
  /** Whether the input is not valid for the tool. */
  readonly invalid?: boolean;
  readonly inputTextDelta?: string;
  readonly output?: unknown;
  readonly preliminary?: boolean;
  readonly providerExecuted?: boolean;
  readonly dynamic?: boolean;
  readonly providerMetadata?: unknown;
  readonly toolMetadata?: unknown;
  readonly error?: unknown;
  readonly errorText?: string;
  readonly approvalId?: string;
  readonly approved?: boolean;
  readonly isAutomatic?: boolean;
  readonly toolCall?: AnyPart;
  readonly reason?: string;
  readonly sourceType?: string;
  readonly sourceId?: string;
  readonly url?: string;
  readonly filename?: string;
  readonly mediaType?: string;
  readonly file?: { readonly base64: string; readonly mediaType: string };
  readonly data?: unknown;
  readonly messageMetadata?: unknown;
  readonly finishReason?: string;
  readonly usage?: TokenUsage;
  readonly totalUsage?: TokenUsage;
}

/** Token counts in the form that `ai` uses. */
export interface TokenUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly totalTokens: number | undefined;
}
