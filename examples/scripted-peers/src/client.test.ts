import { connectAgent } from "@acp-kit/client";
import { agentScript, noResponse } from "@acp-kit/testing";
import { expect, test } from "vitest";
import "./matchers.js";

// #region client
test("the client prompts the user before a file is deleted", async () => {
  const agent = agentScript()
    .onPrompt(/delete (\S+)/, async (turn) => {
      const call = turn.toolCall({ title: "Delete notes.txt", kind: "delete" });
      const { outcome } = await turn.requestPermission(call);
      const allowed = outcome.outcome === "selected" && outcome.optionId === "allow";
      turn.message(allowed ? "Done." : "Then not.");
    })
    .inMemory();

  const client = await connectAgent(agent.transport, { permissions: async () => "reject_once" });
  const session = await client.newSession({ cwd: "/work" });
  const { stopReason } = await session.prompt("delete notes.txt").result;

  expect(stopReason).toBe("end_turn");
  expect(agent).toHaveReceived("session/new", { cwd: "/work" });
  expect(agent).toHaveSent("session/update", { update: { content: { text: "Then not." } } });
  expect(agent).toHaveConformantDialogue(); // every message of the client conforms to the specification
  await client.close();
  await agent.close(); // throws the first error of the script
});
// #endregion client

test("the client handles an agent that breaks the rules", async () => {
  const agent = agentScript()
    .onPrompt("noise", (turn) => {
      turn.agent.sendLine("Welcome to the agent v1.2.3!"); // not JSON
      turn.agent.notify("session/update", { sessionId: turn.sessionId, update: 5 }); // a wrong type
      turn.agent.respond("nobody", {}); // a response without a request
      turn.stop("end_turn");
      turn.message("too late");
    })
    .onPrompt("never", () => noResponse)
    .inMemory();
  const client = await connectAgent(agent.transport);
  const session = await client.newSession({ cwd: "/work" });
  expect(await session.prompt("noise").result).toEqual({ stopReason: "end_turn" });

  const held = agent.hold("session/prompt"); // a response that waits until the test releases it
  const turn = session.prompt("hello");
  await held.waitFor(1);
  held.release();
  expect(await turn.result).toHaveStopped("end_turn");

  const never = session.prompt("never");
  await agent.received("session/prompt", { timeoutMs: 1_000 }); // waits for the event, not for time
  await client.close();
  await expect(never.result).rejects.toMatchObject({ name: "ConnectionError" });
});
