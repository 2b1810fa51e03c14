import { type AgentDefinition, createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { withProxies } from "@acp-kit/proxy";
import { v2 as v2Agent } from "@acp-kit/v2/agent";
import { v2 as v2Client } from "@acp-kit/v2/client";
import { expect, test } from "vitest";
import { inContainer } from "./middleware/policy.examples.js";
import { ask, houseRules, withoutThoughts } from "./readme.examples.js";

/** An agent that thinks, repeats its prompts, and tries to write a file. */
const definition: AgentDefinition = {
  info: { name: "echo", version: "1.0.0" },
  newSession: () => ({ sessionId: "s" }),
  async prompt(turn) {
    await turn.thought("hmm");
    await turn.message(turn.prompt.map((block) => (block.type === "text" ? block.text : "")).join(" | "));
  },
};

test("the example: a hint in the first prompt, no thoughts", async () => {
  const [clientSide, agentSide] = linkedTransports();
  createAgent(definition).connect(agentSide);
  expect(await ask(clientSide, "Hello")).toBe("Hello | Answer in British English.");
});

test("the example of both versions: no thoughts", async () => {
  for (const versions of [[], [v2Client]] as const) {
    const [clientSide, agentSide] = linkedTransports();
    withProxies(createAgent(definition, { versions: [v2Agent] }), [withoutThoughts]).connect(agentSide);
    await using connection = await connectAgent(clientSide, { info: { name: "client", version: "1" }, versions });
    const turn = (await connection.newSession({ cwd: "/work" })).prompt("Hello");
    const kinds: string[] = [];
    for await (const { sessionUpdate } of turn) kinds.push(sessionUpdate);
    expect(kinds).toContain("agent_message_chunk");
    expect(kinds).not.toContain("agent_thought_chunk");
  }
});

test("the example in front of a served agent: only the first prompt has the hint, and writing is refused", async () => {
  const [clientSide, agentSide] = linkedTransports();
  const errors: unknown[] = [];
  const agent = createAgent({
    ...definition,
    async prompt(turn, context) {
      await definition.prompt(turn, context);
      await turn.client.writeTextFile({ path: "/work/a", content: "" }).catch((error: unknown) => errors.push(error));
    },
  });
  withProxies(agent, [houseRules]).connect(agentSide);
  const kinds: string[] = [];
  await using connection = await connectAgent(clientSide, {
    files: { writeTextFile: () => void kinds.push("written") },
  });
  const session = await connection.newSession({ cwd: "/work" });
  expect(await session.prompt("one").text()).toBe("one | Answer in British English.");
  expect(await session.prompt("two").text()).toBe("two");
  expect(kinds).toEqual([]);
  expect(errors).toHaveLength(2);
  expect(String(errors[0])).toContain("This agent may only read files.");
});

test("the example with middleware: paths, permissions, instructions and secrets", async () => {
  const [clientSide, agentSide] = linkedTransports();
  const outcomes: unknown[] = [];
  createAgent({
    ...definition,
    async prompt(turn) {
      const permit = async (path: string): Promise<void> => {
        const call = await turn.toolCall({ title: "Read", kind: "read", locations: [{ path }] });
        outcomes.push((await turn.permit(call, () => "ask")).allowed);
      };
      await permit("/workspace/.env");
      await permit("/workspace/a.ts");
      const texts = turn.prompt.map((block) => (block.type === "text" ? block.text : ""));
      await turn.message(`${texts.join(" | ")} sk-ant-api03-QWERTYUIOPasdfghjklZXCVBNM1234567890qwerty`);
    },
  }).connect(agentSide);
  await using connection = await connectAgent(inContainer(clientSide));
  const session = await connection.newSession({ cwd: "/work" });
  const text = await session.prompt("Hi").text();
  expect(text).toContain("Hi | Run the tests before you finish.");
  expect(text).not.toContain("QWERTY");
  expect(outcomes).toEqual([false, true]);
});
