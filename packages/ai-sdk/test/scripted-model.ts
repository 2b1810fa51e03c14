import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import type { ModelCallOptions, ModelStreamPart } from "../src/model/model-types.js";

type Finish = Extract<ModelStreamPart, { type: "finish" }>;

/** The tokens of a step: ten of input, five of output. */
export const usage: Finish["usage"] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

export const finish = (unified: Finish["finishReason"]["unified"] = "stop"): Finish => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage,
});

export const says = (text: string, id = "0"): ModelStreamPart[] => [
  { type: "text-start", id },
  ...text.split(/(?<= )/).map((delta): ModelStreamPart => ({ type: "text-delta", id, delta })),
  { type: "text-end", id },
];

export const thinks = (text: string, id = "0"): ModelStreamPart[] => [
  { type: "reasoning-start", id },
  { type: "reasoning-delta", id, delta: text },
  { type: "reasoning-end", id },
];

export const calls = (toolCallId: string, toolName: string, input: object): ModelStreamPart[] => [
  { type: "tool-input-start", id: toolCallId, toolName },
  { type: "tool-input-delta", id: toolCallId, delta: JSON.stringify(input) },
  { type: "tool-input-end", id: toolCallId },
  { type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) },
];

/**
 * A model of `ai` that responds to each call with the next list of parts. `prompts` are the prompts that it received.
 */
export function scriptedModel(...steps: (readonly ModelStreamPart[])[]): {
  readonly model: MockLanguageModelV3;
  readonly prompts: ModelCallOptions["prompt"][];
} {
  const prompts: ModelCallOptions["prompt"][] = [];
  const model = new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const step = steps[prompts.length];
      prompts.push(structuredClone(prompt));
      if (step === undefined) throw new Error(`The script has only ${steps.length} steps`);
      return { stream: simulateReadableStream({ chunks: [...step], initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
  return { model, prompts };
}
