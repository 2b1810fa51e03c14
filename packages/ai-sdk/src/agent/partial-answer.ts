import type { ModelMessage } from "ai";
import { messageOf, toJson } from "../pipe/json.js";
import type { AnyPart, StreamPart } from "../pipe/stream-part.js";
import { Conversation, type ToolOutput, toolOutput } from "./conversation.js";

const denied: ToolOutput = { type: "error-text", value: "The user did not permit it" };

/**
 * What of the answers of a turn has come, for the case that the rest doesn't: it was cancelled, it failed, or it ended with open calls. What the model has said and its
 * tools have done must not be forgotten, for the user has seen it.
 */
export class PartialAnswer {
  readonly #conversation = new Conversation();

  /** The same parts, noted as they pass. */
  async *watch(stream: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart, void> {
    for await (const part of stream) {
      this.#note(part as AnyPart);
      yield part;
    }
  }

  /** A call has no result: the messages of `ai` could not be sent to a model again. */
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
