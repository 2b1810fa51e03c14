import { createAgent } from "@acp-kit/agent";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, it } from "vitest";
import { v2 } from "../agent/index.js";
import { askTwice } from "./readme.examples.js";

it.each([
  [[], 1],
  [[v2], 2],
] as const)("the example prompts an agent with the versions %j", async (versions, version) => {
  const agent = createAgent(
    {
      info: { name: "agent", version: "1" },
      newSession: () => ({ sessionId: "s" }),
      prompt: async (turn) => {
        await turn.message(`${turn.client.protocolVersion ?? version}: ${turn.text}`);
      },
    },
    { versions: [...versions] as never },
  );
  const [clientSide, agentSide] = linkedTransports();
  agent.connect(agentSide);
  const lines: string[] = [];
  const texts = await askTwice(clientSide, (line) => lines.push(line));
  expect(texts).toEqual([expect.stringMatching(/Fix the tests$/), expect.stringMatching(/and the docs$/)]);
  expect(lines).toContain("The agent has the second prompt");
});
