import { agentScript } from "@acp-kit/testing";
import { expect, test } from "vitest";
import { connect } from "./client.js";

test("rejects an edit that no rule allows", async () => {
  const agent = agentScript()
    .onPrompt("edit", async (turn) => {
      const call = turn.toolCall({ title: "Edit a.ts", kind: "edit" });
      const { outcome } = await turn.requestPermission(call, [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ]);
      turn.message(outcome.outcome === "selected" && outcome.optionId === "yes" ? "Allowed." : "Not allowed.");
    })
    .inMemory();

  const client = await connect(agent.transport);
  const session = await client.newSession({ cwd: process.cwd() });
  const turn = session.prompt("edit");

  expect(await turn.text()).toBe("Not allowed.");
  expect(await turn.result).toEqual({ stopReason: "end_turn" });
  await client.close();
  await agent.close();
});
