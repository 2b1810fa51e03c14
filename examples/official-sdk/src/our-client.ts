// The client of acp-kit, with the agent of the official SDK.
import assert from "node:assert/strict";
import { connectAgent, type Transport } from "@acp-kit/client";

/** Runs three turns: one that is allowed to read, one that isn't, and one that is cancelled. */
export async function playWithOurClient(transport: Transport, name: string): Promise<void> {
  let allow = true;
  await using agent = await connectAgent(transport, {
    info: { name: "our-client", version: "1.0.0" },
    files: { readTextFile: ({ path }) => ({ content: `the content of ${path}` }) },
    permissions: async () => (allow ? "allow_once" : "reject_once"),
  });
  assert.equal(agent.info?.name, name);
  const session = await agent.newSession({ cwd: "/work" });

  const first = session.prompt("read");
  assert.equal(await first.text(), "It says: the content of /work/a.txt");
  assert.deepEqual(await first.result, { stopReason: "end_turn" });

  allow = false;
  assert.deepEqual(await session.prompt("read").result, { stopReason: "refusal" });

  const third = session.prompt("wait");
  for await (const _ of third) third.cancel();
  assert.deepEqual(await third.result, { stopReason: "cancelled" });
}
