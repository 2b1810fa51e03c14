import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, linkedTransports, type ToolEnvironment, toolEnvironment } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { type LocalEnvironment, localEnvironment } from "@acp-kit/workspace";
import { expect, expectTypeOf, it } from "vitest";

it("the local environment runs an agent's tools if the client has no capabilities", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-environment-")));
  await using local = localEnvironment({ roots: [root] });
  const path = join(root, "a.txt");
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    newSession: () => ({ sessionId: "s" }),
    prompt: async (turn) => {
      const environment = toolEnvironment(turn.client, { local });
      await environment.writeTextFile(path, "written locally");
      const { output } = await environment.run({ command: process.execPath, args: ["-p", "6 * 7"] });
      await turn.message(`${await environment.readTextFile(path)}, ${output.trim()}`);
    },
  });

  const says = async (files: Parameters<typeof connectAgent>[1]): Promise<string> => {
    const [agentSide, clientSide] = linkedTransports();
    agent.connect(agentSide);
    await using client = await connectAgent(clientSide, files);
    const session = await client.newSession({ cwd: root });
    let text = "";
    for await (const update of session.prompt("go")) {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
    }
    return text;
  };

  try {
    expect(await says({})).toBe("written locally, 42");
    const readTextFile = () => ({ content: "as the editor has it" });
    expect(await says({ files: { readTextFile } })).toBe("as the editor has it, 42");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

it("the local environment has the type that an agent's tools use", () => {
  expectTypeOf<LocalEnvironment>().toExtend<ToolEnvironment>();
});
