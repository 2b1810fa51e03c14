import type { ModelMessage } from "ai";
import { messageOf, toJson } from "../pipe/json.js";
import type { AnyPart, StreamPart } from "../pipe/stream-part.js";
import { Conversation, type ToolOutput, toolOutput } from "./conversation.js";

const denied: ToolOutput = { type: "error-text", value: "The user did not permit the tool call" };

/**
 * Collects the finished parts of the model's output in a turn. They are needed if the turn is cancelled, fails, or ends
 * with open tool calls: the user has seen these texts and results, so the next model call must contain them.
 */
export class PartialAnswer {
  readonly #conversation = new Conversation();

  /** Passes the parts on and records them. */
  async *watch(stream: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart, void> {
    for await (const part of stream) {
      this.#note(part as AnyPart);
      yield part;
    }
  }

  /** Whether a tool call has no result. A model does not accept messages that contain such a call. */
  get waits(): boolean {
    return this.#conversation.waits;
  }

  get messages(): readonly ModelMessage[] {
    return this.#conversation.end();
  }

  #note({
    type,
    text = "",
    toolCallId = "",
    toolName = "tool",
    input,
    output,
    error,
    preliminary,
    providerExecuted,
  }: AnyPart): void {
    if (providerExecuted === true) return;
    if (type === "text-delta" && text !== "") this.#conversation.text(text);
    if (type === "tool-call") this.#conversation.call(toolCallId, toolName, input);
    if (type === "tool-result" && preliminary !== true)
      this.#conversation.output(toolCallId, toolOutput(toJson(output)));
    if (type === "tool-output-denied") this.#conversation.output(toolCallId, denied);
    if (type === "tool-error") this.#conversation.output(toolCallId, { type: "error-text", value: messageOf(error) });
  }
}
