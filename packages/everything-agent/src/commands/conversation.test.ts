import type { KnownSessionUpdate } from "@acp-kit/types";
import { expect, it } from "vitest";
import { connectClient } from "../../test/client.js";

const kindsOf = (updates: readonly KnownSessionUpdate[]) => updates.map(({ sessionUpdate }) => sessionUpdate);

it("/stream sends two messages, each in chunks with the id of the message", async () => {
  await using client = await connectClient();
  const { updates } = await client.prompt(await client.newSession(), "/stream");
  const chunks = updates.filter((update) => update.sessionUpdate === "agent_message_chunk");
  expect(chunks.length).toBeGreaterThan(10);
  expect([...new Set(chunks.map(({ messageId }) => messageId))]).toEqual(["message_1_1", "message_1_2"]);
});

it("/unicode sends Unicode separators unescaped, for readers that split lines there", async () => {
  await using client = await connectClient();
  const { text } = await client.prompt(await client.newSession(), "/unicode");
  for (const character of ["\u2028", "\u2029", "\u0000", "👩‍👩‍👧‍👦", "𝒜"]) expect(text).toContain(character);
});

it("/big sends one chunk of the size requested, within bounds", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  expect((await client.prompt(session, "/big 7")).text).toHaveLength(7_000);
  expect((await client.prompt(session, "/big")).text).toHaveLength(300_000);
  expect((await client.prompt(session, "/big -3")).text).toHaveLength(1_000);
});

it("/flood sends the requested number of chunks, in order", async () => {
  await using client = await connectClient();
  const { updates, text } = await client.prompt(await client.newSession(), "/flood 5000");
  expect(kindsOf(updates).filter((kind) => kind === "agent_message_chunk")).toHaveLength(5_000);
  expect(text.trim().split(" ").map(Number)).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
});

it("/flood pauses between chunks if the user wants it, and stops when the turn is cancelled", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  expect((await client.prompt(session, "/flood 3 1")).text).toBe("1 2 3 ");
  const turn = client.prompt(session, "/flood 3 60000");
  await client.next((update) => update.sessionUpdate === "agent_message_chunk");
  await client.peer.notify("session/cancel", { sessionId: session });
  const { response, text } = await turn;
  expect([response, text]).toEqual([{ stopReason: "cancelled" }, "1 "]);
});

it("/plan sends the whole plan each time, and adds entries", async () => {
  await using client = await connectClient();
  const { updates } = await client.prompt(await client.newSession(), "/plan");
  const plans = updates.filter((update) => update.sessionUpdate === "plan").map(({ entries }) => entries);
  expect(plans.map((entries) => entries.map(({ status }) => status.charAt(0)).join(""))).toEqual([
    "ipp",
    "cip",
    "ccip",
    "ccci",
    "cccc",
  ]);
});

it("/echo describes every block, and sends back blocks other than text", async () => {
  await using client = await connectClient();
  const link = { type: "resource_link", uri: "file:///a", name: "a" } as const;
  const { updates, text } = await client.prompt(await client.newSession(), [{ type: "text", text: "Hi" }, link]);
  expect(text).toContain("I received 2 content blocks:\n\n1. text: Hi\n2. link to a: file:///a");
  expect(updates.at(-1)).toMatchObject({ sessionUpdate: "agent_message_chunk", content: link });
});

it("a prompt that is only the name of a command runs the command, a sentence with the name does not", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  expect(kindsOf((await client.prompt(session, "Think")).updates)).toContain("agent_thought_chunk");
  expect((await client.prompt(session, "think about it")).text).toContain("text: think about it");
  expect((await client.prompt(session, "/think about it")).text).toBe("That was what I thought.");
  expect((await client.prompt(session, "/no-such-command")).text).toContain("text: /no-such-command");
  expect((await client.prompt(session, [])).text).toContain("I received 0 content blocks");
});

it("the title of a session is its first prompt, until /title changes it", async () => {
  await using client = await connectClient();
  const session = await client.newSession();
  const first = await client.prompt(session, "Good morning\nand more");
  expect(first.updates[0]).toEqual({ sessionUpdate: "session_info_update", title: "Good morning" });
  const second = await client.prompt(session, "/title Evening");
  expect(second.updates[0]).toEqual({ sessionUpdate: "session_info_update", title: "Evening" });
  const { sessions } = await client.peer.request("session/list", {});
  expect(sessions.map(({ title }) => title)).toEqual(["Evening"]);
});

it("the same prompts cause the same updates", async () => {
  const play = async (): Promise<unknown> => {
    await using client = await connectClient();
    const session = await client.newSession();
    return [await client.prompt(session, "/tools"), await client.prompt(session, "/plan")];
  };
  expect(await play()).toEqual(await play());
});
