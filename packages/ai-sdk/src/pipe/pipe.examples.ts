// #region pipe
import type { AgentDefinition } from "@acp-kit/agent";
import { pipe } from "@acp-kit/ai-sdk";
import { type LanguageModel, streamText } from "ai";

export function answering(model: LanguageModel): AgentDefinition {
  return {
    info: { name: "answering", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      const { fullStream } = streamText({ model, prompt: turn.text, abortSignal: turn.signal });
      return (await pipe(fullStream, turn)).response;
    },
  };
}
// #endregion pipe
