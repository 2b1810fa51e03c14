import { type Agent, createAgent, diff } from "@acp-kit/agent";

/** Capitalises the first letter of a file, if it is allowed. */
export const agent: Agent = createAgent({
  info: { name: "capitalizer", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt(turn) {
    const path = turn.text;
    const { content: oldText } = await turn.client.readTextFile({ path });
    const newText = oldText.charAt(0).toUpperCase() + oldText.slice(1);
    const edit = turn.toolCall({ kind: "edit", title: `Edit ${path}`, content: [diff({ path, oldText, newText })] });
    if (!(await edit.requestPermission()).allowed) {
      await edit.fail("Not allowed");
      return "refusal";
    }
    await edit.start();
    await turn.client.writeTextFile({ path, content: newText });
    await edit.complete();
    return "end_turn";
  },
});
