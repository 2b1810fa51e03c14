// The same agent as in sdk-agent.ts, written with acp-kit.
import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";

const agent = createAgent({
  info: { name: "our-agent", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt(turn) {
    if (turn.text === "wait") {
      await turn.message("waiting");
      await new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(turn.signal.reason)));
    }
    const read = turn.toolCall({ kind: "read", title: "Read a.txt" });
    if (!(await read.requestPermission()).allowed) {
      await read.fail("Not allowed");
      return "refusal";
    }
    const { content } = await turn.client.readTextFile({ path: "/work/a.txt" });
    await read.complete();
    await turn.message(`It says: ${content}`);
    return "end_turn";
  },
});

await serveStdio(agent);
