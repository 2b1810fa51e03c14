import type { LanguageModelV3, ModelUsage } from "../model/model-types.js";

const noUsage: ModelUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * A model that produces no output. It replaces the real model when the turn has reached its limit of model calls and
 * approved tools still have to run: `streamText` runs them only before a model call.
 */
export const idleModel: LanguageModelV3 = {
  specificationVersion: "v3",
  provider: "acp-kit",
  modelId: "idle",
  supportedUrls: { "*/*": [/^/] }, // with this, the AI SDK downloads no files for this model
  doGenerate: async () => {
    throw new TypeError("The idle model only streams");
  },
  doStream: async () => ({
    stream: new ReadableStream({
      start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: noUsage });
        controller.close();
      },
    }),
  }),
};
