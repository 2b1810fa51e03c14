import type { JsonObject } from "@acp-kit/protocol/internal";

/**
 * The maximum number of tool calls whose chunks are accumulated at the same time. Above it, the text of the tool call
 * that has received no chunk for the longest time is removed.
 */
const MAX_STREAMING = 1_000;

const textBlock = (text: string): JsonObject => ({ type: "text", text });
const toolText = (text: string): JsonObject => ({ type: "content", content: textBlock(text) });
const asBlock = (content: unknown): unknown => (typeof content === "string" ? textBlock(content) : content);
const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Converts updates with older names, from libraries or drafts of the protocol before version 1, to the updates of
 * version 1.
 */
export class OlderUpdates {
  /**
   * The input and output so far of each tool call that has not ended. Older updates contain only the next part; an
   * update of version 1 contains the whole input and output.
   */
  readonly #streaming = new Map<string, { input: string; output: string }>();

  /** Returns the current form of an update, or `undefined` if the update doesn't have an older name. */
  read(sessionId: unknown, update: JsonObject): JsonObject | undefined {
    const { sessionUpdate, _meta } = update;
    const meta = _meta != null && { _meta };
    switch (sessionUpdate) {
      case "config_options_update":
        return { ...update, sessionUpdate: "config_option_update" };
      case "thought":
        return { ...update, sessionUpdate: "agent_thought_chunk", content: asBlock(update.content) };
      case "agent_message_start":
      case "agent_message_end": // updates with these two names have no text
        return {
          sessionUpdate: "agent_message_chunk",
          content: textBlock(""),
          messageId: update.messageId ?? null,
          ...meta,
        };
      case "tool_call_start":
        return this.#start(update, meta);
      case "tool_call_chunk":
        return this.#chunk(`${String(sessionId)} ${String(update.toolCallId)}`, update, meta);
      case "tool_call_end":
        this.#streaming.delete(`${String(sessionId)} ${String(update.toolCallId)}`);
        return this.#end(update, meta);
      case "status": {
        const title = asText(update.message) ?? asText(update.status);
        return { sessionUpdate: "notice", severity: "info", title, ...meta };
      }
      case "error":
        return {
          sessionUpdate: "notice",
          severity: "error",
          title: update.message,
          description: update.detail ?? null,
          ...meta,
        };
      default:
        return undefined;
    }
  }

  #start({ sessionUpdate: _, toolName, ...update }: JsonObject, meta: false | JsonObject): JsonObject {
    const name = asText(update.name) ?? asText(toolName);
    const title = asText(update.title) ?? name ?? "";
    return { ...update, sessionUpdate: "tool_call", title, ...(name !== undefined && { name }), ...meta };
  }

  /**
   * Converts a `tool_call_chunk`. If its `kind` is `input`, `output` or absent, it contains the next part of the input
   * or the output. If `kind` is the kind of the tool, such as `read`, the chunk already has the members of a
   * `tool_call_update`.
   */
  #chunk(
    key: string,
    { sessionUpdate: _, content, kind, ...update }: JsonObject,
    meta: false | JsonObject,
  ): JsonObject {
    const head = { ...update, sessionUpdate: "tool_call_update", ...meta };
    const isStream = kind == null || kind === "input" || kind === "output";
    const text = asText(content);
    if (!isStream || text === undefined) {
      return { ...head, ...(isStream ? {} : { kind }), ...(content !== undefined && { content }) };
    }
    const so = this.#streaming.get(key) ?? { input: "", output: "" };
    this.#streaming.delete(key);
    this.#streaming.set(key, so);
    const [oldest] = this.#streaming.keys();
    if (this.#streaming.size > MAX_STREAMING && oldest !== undefined) this.#streaming.delete(oldest);
    if (kind === "input") {
      so.input += text;
      return { ...head, rawInput: so.input };
    }
    so.output += text;
    return { ...head, status: "in_progress", content: [toolText(so.output)] };
  }

  #end({ sessionUpdate: _, status, result, error, ...update }: JsonObject, meta: false | JsonObject): JsonObject {
    const text = asText(result) ?? asText(error);
    return {
      ...update,
      sessionUpdate: "tool_call_update",
      status: status === "completed" || status === undefined ? "completed" : "failed",
      ...(text !== undefined && { content: [toolText(text)] }),
      ...(text === undefined && (result ?? error) != null && { rawOutput: result ?? error }),
      ...meta,
    };
  }
}

/** The names that {@link OlderUpdates} converts. */
export const olderNames = [
  "config_options_update",
  "thought",
  "agent_message_start",
  "agent_message_end",
  "tool_call_start",
  "tool_call_chunk",
  "tool_call_end",
  "status",
  "error",
] as const;
