import { subagents } from "@acp-kit/client/unstable";
import { expect, it } from "vitest";
import { turn } from "../../test/bridged.js";
import { chunk, connected, withSession } from "../../test/connected.js";
import { sendUpdate } from "../../test/peers.js";

it("V2-REQ-34: updates of an announced child have the form of version 1 for listeners, and are in its transcript", async () => {
  const seen: [string | undefined, object][] = [];
  const { session, agent, diagnostics } = await withSession({
    unstable: [subagents],
    onUpdate: (update, { child }) => seen.push([child, update]),
  });
  const child = (update: object): void => agent.notify("session/update", { sessionId: "kid", update });
  sendUpdate(agent, {
    sessionUpdate: "subagent_update",
    sessionId: "kid",
    title: "Tests",
    state: { state: "running" },
  });
  child(chunk("All green"));
  child({ sessionUpdate: "tool_call_update", toolCallId: "c1", title: "Run", name: "bash", status: "in_progress" });
  child({ sessionUpdate: "tool_call_update", toolCallId: "c1", title: null, name: null });
  agent.notify("session/update", { sessionId: "nobody", update: chunk("?") });
  await turn();
  const ofChild = seen.flatMap(([id, update]) => (id === "kid" ? [update] : []));
  expect(ofChild).toMatchObject([
    { sessionUpdate: "agent_message_chunk" },
    { sessionUpdate: "tool_call", title: "Run" },
    { sessionUpdate: "tool_call_update", title: "", clears: ["name"] },
  ]);
  const { kid } = session.transcript.snapshot.children ?? {};
  expect(kid).toMatchObject({ title: "Tests", state: "running" });
  const [message, call] = kid?.transcript.entries ?? [];
  expect(message).toMatchObject({ text: "All green" });
  expect(call).toMatchObject({ type: "tool_call", title: "" });
  expect(call).not.toHaveProperty("name");
  expect(diagnostics).toMatchObject([{ code: "unknown_session" }]);
});

it("V2-REQ-34: the capability is offered in the form of both versions", async () => {
  const { agent } = await connected({ unstable: [subagents] });
  const offered = { subagents: {}, _meta: { subagents: {} } };
  expect(agent.lastReceived("initialize").params).toMatchObject({ clientCapabilities: offered, capabilities: offered });
});
