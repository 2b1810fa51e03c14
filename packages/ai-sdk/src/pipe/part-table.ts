import type { NewerPartType, TextStreamPartType, UiMessageChunkType } from "./stream-part.js";

/**
 * All types of parts of `result.fullStream`, and how each is sent to the client. If `ai` adds a part that this table
 * lacks, the table doesn't compile and a test fails.
 */
export const textStreamParts: Readonly<Record<TextStreamPartType | Exclude<NewerPartType, "reset-step">, string>> = {
  start: "no update, because the turn has already started",
  "start-step": "no update; the step counts towards the step limit",
  "text-start": "a new `messageId`",
  "text-delta": "`agent_message_chunk`",
  "text-end": "no update; the next text has another `messageId`",
  "reasoning-start": "a new `messageId`",
  "reasoning-delta": "`agent_thought_chunk`",
  "reasoning-end": "nothing",
  "tool-input-start": "`tool_call`, `pending`: name, title, kind",
  "tool-input-delta": "no update; with `inputDeltas` a `tool_call_update` with the piece in `_meta`",
  "tool-input-end": "no update, because `tool-call` contains the input",
  "tool-call":
    "`tool_call_update` with `rawInput` and the view of the tool, `in_progress` unless it needs an approval; `tool_call` if it is new",
  "tool-approval-request": "`turn.permit`, which sends `session/request_permission` if the policy requires it",
  "tool-approval-response": "a `tool_call_update`: `in_progress` if allowed, else `failed`",
  "tool-result": "`tool_call_update`, `completed`: output as content and `rawOutput`; a preliminary one `in_progress`",
  "tool-error": "`tool_call_update`, `failed`, with the message as content",
  "tool-output-denied": "`tool_call_update`, `failed`",
  source: "`agent_message_chunk` with a `resource_link`",
  file: "`agent_message_chunk` with an `image`, `audio` or `resource` block",
  "reasoning-file": "`agent_thought_chunk` with an `image`, `audio` or `resource` block",
  custom: "`session_info_update` with the part in `_meta`",
  "steering-message": "no update, because the client knows the message of its user",
  "finish-step": "`usage_update`, when `contextWindow` is known",
  finish: "the stop reason; the usage of the whole turn in `_meta` of the response",
  abort: "the stop reason `cancelled`",
  error: "an error response to the prompt, at the end of the stream",
  raw: "no update, because the other parts contain it",
  ping: "nothing",
};

/** All types of chunks of a UI message stream, and how each is sent to the client. */
export const uiMessageChunks: Readonly<Record<UiMessageChunkType | Exclude<NewerPartType, "ping">, string>> = {
  start: "`session_info_update` with `messageMetadata` in `_meta`, if present",
  "start-step": "no update; the step counts towards the step limit",
  "text-start": "a new `messageId`",
  "text-delta": "`agent_message_chunk`",
  "text-end": "no update; the next text has another `messageId`",
  "reasoning-start": "a new `messageId`",
  "reasoning-delta": "`agent_thought_chunk`",
  "reasoning-end": "nothing",
  "tool-input-start": "`tool_call`, `pending`: name, title, kind",
  "tool-input-delta": "no update; with `inputDeltas` a `tool_call_update` with the piece in `_meta`",
  "tool-input-available":
    "`tool_call_update` with `rawInput` and the view of the tool, `in_progress` unless it needs an approval; `tool_call` if it is new",
  "tool-input-error": "`tool_call_update`, `failed`, with `rawInput` and the message as content",
  "tool-approval-request": "`turn.permit`, which sends `session/request_permission` if the policy requires it",
  "tool-approval-response": "a `tool_call_update`: `in_progress` if allowed, else `failed`",
  "tool-output-available":
    "`tool_call_update`, `completed`: output as content and `rawOutput`; a preliminary one `in_progress`",
  "tool-output-error": "`tool_call_update`, `failed`, with the message as content",
  "tool-output-denied": "`tool_call_update`, `failed`",
  "source-url": "`agent_message_chunk` with a `resource_link`",
  "source-document": "`agent_message_chunk` with a `resource_link` to `ai-sdk-source:` and its id",
  file: "`agent_message_chunk` with an `image`, `audio` or `resource` block, or a `resource_link`",
  "reasoning-file": "`agent_thought_chunk` with an `image`, `audio` or `resource` block",
  custom: "`session_info_update` with the part in `_meta`",
  "reset-step":
    "open tool calls become `failed`; a message can't be taken back, so `session_info_update` reports the reset in `_meta`",
  "data-*": "`session_info_update` with the part in `_meta`",
  "message-metadata": "`session_info_update` with the metadata in `_meta`",
  "steering-message": "no update, because the client knows the message of its user",
  "finish-step": "no update, because this stream has no usage",
  finish: "the stop reason; `messageMetadata` as with `start`",
  abort: "the stop reason `cancelled`",
  error: "an error response to the prompt, at the end of the stream",
};
