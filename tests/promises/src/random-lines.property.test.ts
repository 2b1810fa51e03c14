import { connectAgent } from "@acp-kit/client";
import { agentScript } from "@acp-kit/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { largeJson, longText, orLarge } from "./harness/large.js";

it("noise.random-lines: random bytes between the lines of a conversation do not change it", async () => {
  const line = orLarge(
    fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.json(), fc.uint8Array({ maxLength: 50 })),
    fc.oneof(
      longText,
      largeJson.map((value) => JSON.stringify(value)),
      fc.uint8Array({ minLength: 1_000, maxLength: 20_000 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const agent = agentScript()
        .onPrompt((turn) => {
          for (const [n, line] of lines.entries()) {
            turn.agent.sendText(line);
            turn.agent.sendText("\n");
            turn.message(String(n));
          }
        })
        .inMemory();
      const client = await connectAgent(agent.transport);
      const session = await client.newSession({ cwd: "/work" });
      const received: string[] = [];
      const turn = session.prompt("go");
      for await (const update of turn) received.push((update as { content: { text: string } }).content.text);
      expect(await turn.result).toEqual({ stopReason: "end_turn" });
      expect(received).toEqual(lines.map((_line, n) => String(n)));
      await client.close();
    }),
    { numRuns: 150 },
  );
});
