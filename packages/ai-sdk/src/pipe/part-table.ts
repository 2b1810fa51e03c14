import type { NewerPartType, TextStreamPartType, UiMessageChunkType } from "./stream-part.js";

/**
 * All types of parts of `result.fullStream`, and how each part is sent to the client. If a new version of `ai` adds a
 * part that this table lacks, the table doesn't compile and a test fails.
 */
export const textStreamParts: Readonly<Record<TextStreamPartType | Exclude<NewerPartType, "reset-step">, string>> = {
  start: "no update, because the turn has already started",
  "start-step": "no update; the step counts towards the step limit",
  "text-start": "a new `messageId`",
  "text-delta": "`agent_message_chunk`",
  "text-end": "no update; the next text gets a new `messageId`",
  "reasoning-start": "a new `messageId`",
  "reasoning-delta": "`agent_thought_chunk`",
  "reasoning-end": "no update",
  "tool-input-start": "a `tool_call` with the status `pending` and the tool's name, title and kind",
  "tool-input-delta":
    "no update; with the option `inputDeltas`, a `tool_call_update` with the piece of the input in `_meta`",
  "tool-input-end": "no update, because `tool-call` contains the input",
  "tool-call":
    "a `tool_call_update` (a `tool_call` if the call is new) with `rawInput` and the view of the tool; the status is `in_progress`, unless the call needs an approval",
  "tool-approval-request":
    "a call of `turn.permit`, which sends `session/request_permission` if the policy requires it",
  "tool-approval-response":
    "a `tool_call_update` with the status `in_progress` if the call is allowed, otherwise `failed`",
  "tool-result":
    "a `tool_call_update` with the status `completed` and the output as content and `rawOutput`; the status of a preliminary result is `in_progress`, that of an MCP result with `isError` is `failed`",
  "tool-error": "a `tool_call_update` with the status `failed` and the error message as content",
  "tool-output-denied": "a `tool_call_update` with the status `failed`",
  source: "`agent_message_chunk` with a `resource_link`",
  file: "`agent_message_chunk` with an `image`, `audio` or `resource` block",
  "reasoning-file": "`agent_thought_chunk` with an `image`, `audio` or `resource` block",
  custom: "`session_info_update` with the part in `_meta`",
  "steering-message": "no update, because the client knows the message of its user",
  "finish-step": "`usage_update`, when `contextWindow` is known",
  finish: "the stop reason, and the token usage of the whole turn in `_meta` of the response",
  abort: "the stop reason `cancelled`",
  error: "an error response to the prompt, at the end of the stream",
  raw: "no update, because the other parts contain it",
  ping: "no update",
};

/** All types of chunks of a UI message stream, and how each chunk is sent to the client. */
export const uiMessageChunks: Readonly<Record<UiMessageChunkType | Exclude<NewerPartType, "ping">, string>> = {
  start: "`session_info_update` with `messageMetadata` in `_meta`, if present",
  "start-step": "no update; the step counts towards the step limit",
  "text-start": "a new `messageId`",
  "text-delta": "`agent_message_chunk`",
  "text-end": "no update; the next text gets a new `messageId`",
  "reasoning-start": "a new `messageId`",
  "reasoning-delta": "`agent_thought_chunk`",
  "reasoning-end": "no update",
  "tool-input-start": "a `tool_call` with the status `pending` and the tool's name, title and kind",
  "tool-input-delta":
    "no update; with the option `inputDeltas`, a `tool_call_update` with the piece of the input in `_meta`",
  "tool-input-available":
    "a `tool_call_update` (a `tool_call` if the call is new) with `rawInput` and the view of the tool; the status is `in_progress`, unless the call needs an approval",
  "tool-input-error": "a `tool_call_update` with the status `failed`, `rawInput`, and the error message as content",
  "tool-approval-request":
    "a call of `turn.permit`, which sends `session/request_permission` if the policy requires it",
  "tool-approval-response":
    "a `tool_call_update` with the status `in_progress` if the call is allowed, otherwise `failed`",
  "tool-output-available":
    "a `tool_call_update` with the status `completed` and the output as content and `rawOutput`; the status of a preliminary result is `in_progress`, that of an MCP result with `isError` is `failed`",
  "tool-output-error": "a `tool_call_update` with the status `failed` and the error message as content",
  "tool-output-denied": "a `tool_call_update` with the status `failed`",
  "source-url": "`agent_message_chunk` with a `resource_link`",
  "source-document":
    "`agent_message_chunk` with a `resource_link`, whose URI is `ai-sdk-source:` and the id of the source",
  file: "`agent_message_chunk` with an `image`, `audio` or `resource` block, or a `resource_link`",
  "reasoning-file": "`agent_thought_chunk` with an `image`, `audio` or `resource` block",
  custom: "`session_info_update` with the part in `_meta`",
  "reset-step":
    "open tool calls become `failed`; a message can't be taken back, so `session_info_update` reports the reset in `_meta`",
  "data-*": "`session_info_update` with the part in `_meta`",
  "message-metadata": "`session_info_update` with the metadata in `_meta`",
  "steering-message": "no update, because the client knows the message of its user",
  "finish-step": "no update, because this stream has no usage",
  finish: "the stop reason; `messageMetadata` is sent as for `start`",
  abort: "the stop reason `cancelled`",
  error: "an error response to the prompt, at the end of the stream",
};
