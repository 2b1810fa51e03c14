import type { ModelMessage } from "ai";

type AssistantPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];
type ToolPart = Extract<ModelMessage, { role: "tool" }>["content"][number];
type ToolResult = Extract<ToolPart, { type: "tool-result" }>;
type UserMessage = Extract<ModelMessage, { role: "user" }>;

/** What a tool answered, as a model reads it. */
export type ToolOutput = ToolResult["output"];

/** A call that was cut off: the model must have an answer to it all the same. */
const interrupted: ToolOutput = { type: "error-text", value: "Interrupted before the tool was done" };

/**
 * Makes the messages of a model of what happened, one thing after the other. Each call gets exactly one result, as providers demand, also
 * when the result came much later or never.
 */
export class Conversation {
  readonly #messages: ModelMessage[] = [];
  #said: AssistantPart[] = [];
  #calls: { readonly toolCallId: string; readonly toolName: string }[] = [];
  readonly #outputs = new Map<string, ToolOutput>();

  /** A turn begins; what was left open of the one before is interrupted. */
  user(content: UserMessage["content"]): void {
    this.#endStep();
    this.#messages.push({ role: "user", content });
  }

  /** The model said this. After a call that means it has seen the result. */
  text(text: string): void {
    if (this.#calls.length > 0) this.#endStep();
    const last = this.#said.at(-1);
    if (last?.type === "text") this.#said[this.#said.length - 1] = { ...last, text: last.text + text };
    else this.#said.push({ type: "text", text });
  }

  call(toolCallId: string, toolName: string, input: unknown): void {
    if (this.#calls.some((call) => call.toolCallId === toolCallId)) return;
    // A call that comes when all before it are answered belongs to the next step.
    if (this.#calls.length > 0 && this.#calls.every((call) => this.#outputs.has(call.toolCallId))) this.#endStep();
    this.#said.push({ type: "tool-call", toolCallId, toolName, input });
    this.#calls.push({ toolCallId, toolName });
  }

  output(toolCallId: string, output: ToolOutput): void {
    this.#outputs.set(toolCallId, output);
  }

  /** Some call has no result yet. */
  get waits(): boolean {
    return this.#calls.some(({ toolCallId }) => !this.#outputs.has(toolCallId));
  }

  /** The messages so far; calls without a result are answered with an error. */
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

/** A value that a tool answered. */
export function toolOutput(value: unknown): ToolOutput {
  if (typeof value === "string") return { type: "text", value };
  return { type: "json", value: (value ?? null) as Extract<ToolOutput, { type: "json" }>["value"] };
}
