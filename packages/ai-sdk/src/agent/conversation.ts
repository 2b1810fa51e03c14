import type { ModelMessage } from "ai";

type AssistantPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];
type ToolPart = Extract<ModelMessage, { role: "tool" }>["content"][number];
type ToolResult = Extract<ToolPart, { type: "tool-result" }>;
type UserMessage = Extract<ModelMessage, { role: "user" }>;

/** The output of a tool, in the form in which a message for a model contains it. */
export type ToolOutput = ToolResult["output"];

/** The result of an interrupted call, because a model needs a result for every call. */
const interrupted: ToolOutput = { type: "error-text", value: "The turn was interrupted before the tool had finished" };

/**
 * Builds the messages for a model from the events of a session. Each tool call gets exactly one result, as model
 * providers require: the output of the tool, or an error if the step (one model call and its tool results) ends before
 * the output arrives.
 */
export class Conversation {
  readonly #messages: ModelMessage[] = [];
  #said: AssistantPart[] = [];
  #calls: { readonly toolCallId: string; readonly toolName: string }[] = [];
  readonly #outputs = new Map<string, ToolOutput>();

  /** Starts a turn. Open calls of the previous turn get an error result. */
  user(content: UserMessage["content"]): void {
    this.#endStep();
    this.#messages.push({ role: "user", content });
  }

  /** Adds text of the model. Text after a tool call begins a new step: the model has received the result. */
  text(text: string): void {
    if (this.#calls.length > 0) this.#endStep();
    const last = this.#said.at(-1);
    if (last?.type === "text") this.#said[this.#said.length - 1] = { ...last, text: last.text + text };
    else this.#said.push({ type: "text", text });
  }

  call(toolCallId: string, toolName: string, input: unknown): void {
    if (this.#calls.some((call) => call.toolCallId === toolCallId)) return;
    // If all earlier calls have results, this call belongs to the next step (the next model call).
    if (this.#calls.length > 0 && this.#calls.every((call) => this.#outputs.has(call.toolCallId))) this.#endStep();
    this.#said.push({ type: "tool-call", toolCallId, toolName, input });
    this.#calls.push({ toolCallId, toolName });
  }

  output(toolCallId: string, output: ToolOutput): void {
    this.#outputs.set(toolCallId, output);
  }

  /** Whether a call has no result yet. */
  get waits(): boolean {
    return this.#calls.some(({ toolCallId }) => !this.#outputs.has(toolCallId));
  }

  /** Returns the messages so far. Calls without a result get an error result. */
  end(): ModelMessage[] {
    this.#endStep();
    return this.#messages;
  }

  #endStep(): void {
    if (this.#said.length > 0) this.#messages.push({ role: "assistant", content: this.#said });
    if (this.#calls.length > 0) {
      const content = this.#calls.map(({ toolCallId, toolName }): ToolPart => {
        return { type: "tool-result", toolCallId, toolName, output: this.#outputs.get(toolCallId) ?? interrupted };
      });
      this.#messages.push({ role: "tool", content });
    }
    this.#said = [];
    this.#calls = [];
  }
}

/** Converts a tool's result to the output in a model message. */
export function toolOutput(value: unknown): ToolOutput {
  if (typeof value === "string") return { type: "text", value };
  return { type: "json", value: (value ?? null) as Extract<ToolOutput, { type: "json" }>["value"] };
}
