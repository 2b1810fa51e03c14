import { isAbsolute } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createAgent, type Turn } from "@acp-kit/agent";

/**
 * An example agent: it counts the words of a file that the prompt names, or counts up to a number. Replace `prompt`
 * with the work of your agent.
 */
export const agent = createAgent({
  info: { name: "{{name}}", version: "0.1.0" },

  newSession: () => ({ sessionId: crypto.randomUUID() }),

  prompt: async (turn) => {
    const text = turn.text.trim();
    const [, number] = /^count to (\d{1,3})$/i.exec(text) ?? [];
    if (isAbsolute(text)) await countWords(turn, text);
    else if (number !== undefined) await countTo(turn, Number(number));
    else await turn.message("Name a file by its absolute path, and I count its words. Or say: count to 10.");
  },
});

/**
 * Reads a file through the client, because the client knows unsaved changes. The client shows the reading as a tool
 * call.
 */
async function countWords(turn: Turn, path: string): Promise<void> {
  const call = turn.toolCall({ title: `Read ${path}`, kind: "read", locations: [{ path }] });
  const { content } = await turn.client.readTextFile({ path });
  await call.complete();
  await turn.message(`${path} has ${content.split(/\s+/).filter(Boolean).length} words.`);
}

/** Streams a message. When the user cancels the turn, `turn.signal` aborts, which ends the pause and the turn. */
async function countTo(turn: Turn, number: number): Promise<void> {
  for (let count = 1; count <= number; count++) {
    await turn.message(`${count} `);
    await setTimeout(500, undefined, { signal: turn.signal });
  }
}
