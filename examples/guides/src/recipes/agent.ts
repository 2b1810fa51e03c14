// Recipes for agents: docs/guides/recipes.md shows each region, recipes.test.ts runs it.
// #region stream
import { type Agent, createAgent } from "@acp-kit/agent";

/**
 * Streams the text of a model. Cancelling the turn aborts `turn.signal`, so pass the signal to the request to the
 * model.
 */
export function modelAgent(ask: (prompt: string, signal: AbortSignal) => AsyncIterable<string>): Agent {
  return createAgent({
    info: { name: "model-agent", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      for await (const text of ask(turn.text, turn.signal)) await turn.message(text);
    },
  });
}
// #endregion stream

// #region edit
/**
 * Shows the change as a diff, requests permission, and writes through the client, which knows the unsaved text of its
 * editors.
 */
export const editor: Agent = createAgent({
  info: { name: "editor", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  prompt: async (turn) => {
    const path = turn.text;
    const { content: oldText } = await turn.client.readTextFile({ path });
    const newText = oldText.replaceAll("teh", "the");
    const call = turn.toolCall({ title: `Edit ${path}`, kind: "edit", locations: [{ path }] });
    await call.add({ type: "diff", path, oldText, newText });
    const { allowed } = await call.requestPermission();
    if (!allowed) return void (await call.fail("The user said no."));
    await turn.client.writeTextFile({ path, content: newText });
    await call.complete();
  },
});
// #endregion edit
