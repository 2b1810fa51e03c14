import { type AgentDefinition, createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { withProxies } from "@acp-kit/proxy";
import { expect, test } from "vitest";
import { ask, houseRules } from "./readme.examples.js";

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
