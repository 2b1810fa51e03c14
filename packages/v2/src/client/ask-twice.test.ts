import { createAgent } from "@acp-kit/agent";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, it } from "vitest";
import { v2 } from "../agent/index.js";
import { askTwice } from "./ask-twice.examples.js";

it.each([
  [1, []],
  [2, [v2]],
] as const)("the example prompts an agent of version %i", async (_, versions) => {
  const agent = createAgent(
    {
      info: { name: "agent", version: "1" },
      newSession: () => ({ sessionId: "s" }),
      prompt: async (turn) => {
        await turn.message(`Done: ${turn.text}`);
      },
    },
    { versions: [...versions] as never },
  );
  const [clientSide, agentSide] = linkedTransports();
  agent.connect(agentSide);
  const lines: string[] = [];
  const texts = await askTwice(clientSide, (line) => lines.push(line));
  expect(texts).toEqual(["Done: Fix the tests", "Done: and the docs"]);
  expect(lines).toContain("The agent has the second prompt");
});
