import { isAbsolute } from "node:path";
import { createAgent } from "@acp-kit/agent";

/** Counts the words of a file that the prompt names. Replace `prompt` with what your agent does. */
export const agent = createAgent({
  info: { name: "{{name}}", version: "0.1.0" },

  newSession: () => ({ sessionId: crypto.randomUUID() }),

  prompt: async (turn) => {
    const path = turn.text.trim();
    if (!isAbsolute(path)) {
      await turn.message("Name a file by its absolute path, and I count its words.");
      return;
    }
    const call = turn.toolCall({ title: `Read ${path}`, kind: "read", locations: [{ path }] });
    const { content } = await turn.client.readTextFile({ path });
    await call.complete();
    await turn.message(`${path} has ${content.split(/\s+/).filter(Boolean).length} words.`);
  },
});
