import { type Agent, createAgent, extension, extensionNotification } from "@acp-kit/agent";
import { z } from "zod";
import { ANNOUNCED, WORD_COUNT, WORDS_SEEN, wordCountParams } from "./word-count.js";

/** The numbers of words that the client has reported with `WORDS_SEEN`. */
export const seen: number[] = [];

// #region agent
export const agent: Agent = createAgent({
  info: { name: "word-counter", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  prompt: async (turn) => {
    await turn.message("Ask me how many words there are.");
  },
  capabilitiesMeta: { [ANNOUNCED]: { wordCount: true } },
  extensions: {
    [WORD_COUNT]: extension(wordCountParams, ({ text }) => ({ words: text.split(/\s+/).filter(Boolean).length })),
    [WORDS_SEEN]: extensionNotification(z.object({ words: z.number() }), ({ words }) => void seen.push(words)),
  },
});
// #endregion agent
