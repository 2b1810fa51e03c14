import { describe, expect, it } from "vitest";
import { transports } from "./harness/connect.js";
import { promptOf, type RawClient, rawClient, rawClientWithSession } from "./harness/raw-client.js";
import { isProfile } from "./harness/remote.js";
import { isUpdate, says } from "./harness/wire.js";

/** Runs the conversation up to the point at which the client disconnects. */
type Point = (client: RawClient) => Promise<unknown>;

const prompt = ({ peer }: RawClient, text: string): void =>
  peer.send({ id: text, method: "session/prompt", params: promptOf(text) });

const points: Readonly<Record<string, Point>> = {
  "between turns": async () => {},
  "while a handler waits": async (client) => {
    prompt(client, "wait");
    await client.peer.received.until(says("waiting"));
  },
  "while a handler ignores its signal, and another prompt waits": async (client) => {
    prompt(client, "ignore");
    prompt(client, "say never");
    await client.peer.received.until(says("waiting"));
  },
  "while a permission request is open": async (client) => {
    prompt(client, "ask");
    await client.peer.next("session/request_permission");
  },
  "while a file is read": async (client) => {
    prompt(client, "read /work/a.ts");
    await client.peer.next("fs/read_text_file");
  },
  "while a command runs": async (client) => {
    client.peer.answer("terminal/create", { terminalId: "t1" });
    prompt(client, "run sleep");
    await client.peer.next("terminal/wait_for_exit");
  },
  "while the agent sends many updates": async (client) => {
    prompt(client, "flood 20000 2000");
    await client.peer.received.until(isUpdate("agent_message_chunk"));
  },
};

// The time that a handler may continue after its signal. The tests wait for events, not for this time.
const options = { cancelGraceMs: 20 };

describe.each(transports)("over %s", (kind) => {
  it("settle.client-gone: TRANS-12 if the client disconnects before any message, the agent's connection closes", async ({
    skip,
  }) => {
    skip(isProfile(kind), "RT-21, A3: no agent is connected before `initialize`");
    await using client = await rawClient(kind, options);
    client.end();
    await expectOrderlyEnd(client);
  });

  describe.each(Object.entries(points))("%s", (_name, bring) => {
    it("settle.client-gone: TRANS-12 if the client ends its output, the agent's connection closes in order", async () => {
      await using client = await rawClientWithSession(kind, options);
      await bring(client);
      client.end();
      await expectOrderlyEnd(client);
    });

    it("settle.client-gone: TRANS-12 if the client disconnects, the agent's connection closes in order", async () => {
      await using client = await rawClientWithSession(kind, options);
      await bring(client);
      client.vanish();
      await expectOrderlyEnd(client);
    });
  });
});

/** In process, the reason. For a process, exit code 0; an unhandled rejection or an `EPIPE` would change it. */
async function expectOrderlyEnd(client: RawClient): Promise<void> {
  const end = await client.ended;
  if (Array.isArray(end)) expect(end).toEqual([0, null]);
  else
    expect(end).toMatchObject({
      name: "ConnectionError",
      code: expect.stringMatching(/^(peer_closed|transport_failed)$/),
    });
  expect(client.noise()).toEqual([]);
}
