import type { LanguageModelV3, ModelUsage } from "../model/model-types.js";

const noUsage: ModelUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * A model that says nothing. `streamText` runs approved tools only in front of a model call; with this one they run although the turn may call
 * its model no more.
 */
export const idleModel: LanguageModelV3 = {
  specificationVersion: "v3",
  provider: "acp-kit",
  modelId: "idle",
  supportedUrls: { "*/*": [/^/] }, // so that nothing is downloaded for it
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
