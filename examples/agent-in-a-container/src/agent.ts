// An agent as it runs in a container: it knows the folder of the project as /workspace, and no other.
import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";

const agent = createAgent({
  info: { name: "container-agent", version: "1.0.0" },
  newSession({ cwd }) {
    if (cwd !== "/workspace") throw new Error(`This container has no folder ${cwd}`);
    return { sessionId: crypto.randomUUID() };
  },
  async prompt(turn) {
    const { content } = await turn.client.readTextFile({ path: "/workspace/settings.env" });
    await turn.client.writeTextFile({ path: "/workspace/report.md", content: "# Report\n" });
    // Models repeat what they read, in pieces of any size
    for (const piece of content.match(/.{1,7}/gs) ?? []) await turn.message(piece);
    turn
      .toolCall({ kind: "edit", title: "Write the report", locations: [{ path: "/workspace/report.md" }] })
      .complete();
  },
});

await serveStdio(agent);
