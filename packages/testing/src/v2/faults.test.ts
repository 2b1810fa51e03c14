import { expect, it } from "vitest";
import { createClock } from "../clock.js";
import type { FaultPlan } from "../faults/fault-plan.js";
import { faulty } from "../faults/faulty.js";
import { forEachSeed } from "../faults/for-each-seed.js";
import { randomPlan } from "../faults/random-plan.js";
import { acpMatchers } from "../vitest/matchers.js";
import { v2AgentScript } from "./agent-script.js";
import { v2ClientScript } from "./client-script.js";

expect.extend(acpMatchers);

const script = v2AgentScript().onPrompt((work) => {
  work.message("one");
  work.message("two");
});

/** The updates that a client gets in a session with one prompt, with faults in front of the client. */
async function received(plan: FaultPlan): Promise<unknown[]> {
  const agent = script.inMemory();
  const client = v2ClientScript().connect(faulty(agent.transport, plan));
  await client.initialize();
  await client.newSession();
  await client.prompt("go");
  await client.fence();
  await client.close();
  expect(client).toHaveConformantDialogue();
  return client.receivedSoFar("session/update").map(({ params }) => {
    const { update } = params as { readonly update: Record<string, unknown> };
    return (update.content as { readonly text?: string } | undefined)?.text ?? update.state ?? update.sessionUpdate;
  });
}

it.each<[string, FaultPlan, unknown[]]>([
  ["nothing", [], ["user_message", "running", "one", "two", "idle"]],
  ["updates after the end of the work", [{ fault: "late" }], ["running", "idle", "user_message", "one", "two"]],
  ["an update before the response that opens the session", [{ fault: "early", at: 1 }], ["early", "user_message"]],
  ["no state", [{ fault: "drop", update: "state_update" }], ["user_message", "one", "two"]],
  ["no end", [{ fault: "drop", update: "state_update", at: 2 }], ["user_message", "running", "one", "two"]],
  [
    "the response after the end",
    [{ fault: "reorder", kind: "response", method: "session/prompt", by: 3 }],
    ["user_message", "running", "one", "two", "idle"],
  ],
  [
    "each state twice",
    [{ fault: "duplicate", update: "state_update" }],
    ["user_message", "running", "running", "one", "two", "idle", "idle"],
  ],
  [
    "the user message after the state",
    [{ fault: "reorder", update: "user_message" }],
    ["running", "user_message", "one", "two", "idle"],
  ],
])("version 2: a plan injects %s", async (_, plan, expected) => {
  expect((await received(plan)).slice(0, expected.length)).toEqual(expected);
  if (!JSON.stringify(plan).includes("early")) expect(await received(plan)).toHaveLength(expected.length);
});

it("version 2: the same seed injects the same faults, and the same messages arrive", async () => {
  const run = async (seed: number | string): Promise<object> => {
    const clock = createClock();
    const agent = script.inMemory();
    const transport = faulty(agent.transport, randomPlan(seed), { seed, clock });
    const client = v2ClientScript({ clock }).connect(transport);
    const settled = Promise.allSettled([
      client.initialize(),
      client.newSession(),
      client.prompt("go", { sessionId: "session-1" }),
    ]);
    await clock.runAll();
    await client.close();
    const responses = (await settled).map(({ status }) => status);
    return { responses, injected: transport.injected, seen: client.seen };
  };
  await forEachSeed({ runs: 30 }, async (seed) => {
    expect(await run(seed)).toEqual(await run(seed));
  });
});
