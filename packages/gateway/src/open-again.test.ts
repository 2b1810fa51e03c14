import type { Message } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../test/manual-clock.js";
import { RawClient } from "../test/raw-client.js";
import { type RigOptions, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { memoryEngine } from "./index.js";

/** A client with a running turn, of which it has received the update "a". */
async function running(capabilities: object = {}, options?: RigOptions) {
  const rig = await startRig(options);
  const client = await rig.client(undefined, capabilities);
  const sessionId = await client.newSession();
  const { turn, response } = await rig.turn(client, sessionId, "go");
  turn.say("a");
  await client.until(() => client.text === "a");
  return { rig, client, sessionId, turn, response };
}

describe("a client that opens its session again on the same connection during its turn", () => {
  test("receives the replay, the further updates and the response to its prompt after a load", async () => {
    const { client, sessionId, turn, response } = await running();
    await client.load(sessionId);
    turn.say("b");
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(client.log.slice(1)).toEqual([
      "agent: a",
      "user: go",
      "agent: a",
      "session/load -> ok",
      "agent: b",
      "session/prompt -> end_turn",
    ]);
  });

  test("receives each update once, and the response to its prompt, after a resume", async () => {
    const { client, sessionId, turn, response } = await running();
    turn.say("b");
    await client.resume(sessionId);
    turn.say("c");
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(client.text).toBe("abc");
  });

  test("receives the response after that to load, if the turn ends before", async () => {
    const { client, sessionId, turn, response } = await running();
    const loaded = client.load(sessionId);
    turn.say("b");
    turn.end();
    await loaded;
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(client.log.slice(-2)).toEqual(["session/load -> ok", "session/prompt -> end_turn"]);
    expect(client.text).toBe("aab");
  });

  test("receives no update between those of a replay, if it opens the session several times at once", async () => {
    const { client, sessionId, turn, response } = await running();
    const opened = [client.load(sessionId), client.resume(sessionId), client.load(sessionId)];
    turn.say("b");
    await Promise.all(opened);
    turn.end();
    await response;
    const replay = ["user: go", "agent: ab", "session/load -> ok"];
    expect(client.log.slice(2)).toEqual([...replay, "session/resume -> ok", ...replay, "session/prompt -> end_turn"]);
  });

  test("keeps its queued prompts and its open permission request", async () => {
    const { rig, client, sessionId, turn, response } = await running();
    const queued = client.prompt(sessionId, "next");
    const permission = turn.permission();
    await client.until(() => client.requests.length === 1);
    await client.load(sessionId);
    const yes = { outcome: { outcome: "selected", optionId: "yes" } };
    client.requests[0]?.respond(yes);
    expect(await permission).toEqual(yes);
    expect(client.requests).toHaveLength(1);
    turn.end();
    await response;
    await settled();
    rig.agent.turns[1]?.end();
    expect(await queued).toMatchObject({ stopReason: "end_turn" });
  });

  test("stays attached for the agent: a file request that it handles does not fail", async () => {
    const { client, sessionId, turn } = await running(
      { fs: { readTextFile: true } },
      { policy: { delegate: { files: true } } },
    );
    const read = turn.request("fs/read_text_file", { path: "/a" });
    await client.until(() => client.requests.length === 1);
    await client.load(sessionId);
    client.requests[0]?.respond({ content: "text" });
    expect(await read).toEqual({ content: "text" });
    expect(client.requests).toHaveLength(1);
  });

  test("continues its turn if it can't open the session", async () => {
    const { client, sessionId, turn, response } = await running();
    const meta = { "acp-kit/cursor": "1.99999.1" };
    await expect(client.resume(sessionId, meta)).rejects.toThrow();
    turn.say("b");
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(client.text).toBe("ab");
  });

  test("receives no update before the error response, if it can't load the session", async () => {
    const rig = await startRig();
    const transport = rig.accept();
    const received: Message[] = [];
    const startTransport = transport.start.bind(transport);
    transport.start = (receiver) =>
      startTransport({
        message: (message, bytes) => {
          received.push(message as Message);
          receiver.message(message, bytes);
        },
        malformed: (input) => receiver.malformed(input),
        ended: () => receiver.ended(),
        failed: (error) => receiver.failed(error),
      });
    const client = new RawClient(transport);
    await client.initialize();
    const sessionId = await client.newSession();
    const { turn, response } = await rig.turn(client, sessionId, "go");
    turn.say("a");
    await client.until(() => client.text === "a");
    const params = { sessionId, cwd: "/work", mcpServers: [], _meta: { "acp-kit/cursor": "j999.1" } };
    const loaded = client.request("session/load", params).catch(() => {});
    turn.say("b");
    await loaded;
    turn.end();
    await response;
    const [first, second] = received.slice(received.findLastIndex((one) => "error" in one));
    expect(first).toMatchObject({ error: {} });
    expect(second).toMatchObject({ method: "session/update", params: { update: { content: { text: "b" } } } });
  });
});

describe("a client that resumes a session while an earlier request attaches it to the session", () => {
  test("receives each update once", async () => {
    const clock = new ManualClock();
    const engine = memoryEngine({ now: () => clock.now() });
    const rig = await startRig({ clock, engine });
    const creator = await rig.client();
    const sessionId = await creator.newSession();
    const { turn } = await rig.turn(creator, sessionId, "go");
    const client = await rig.client();
    const [called, resumed] = [deferred(), deferred()];
    // The first step of the call, and the first and the last one of the resume
    const delays = [called.promise, undefined, resumed.promise];
    const find = engine.find.bind(engine);
    engine.find = async (key) => {
      await delays.shift();
      return find(key);
    };
    const requests = [client.request("_work", { sessionId }), client.resume(sessionId)];
    await clock.advance(1);
    called.resolve();
    await clock.advance(1);
    turn.say("a");
    await clock.advance(1);
    resumed.resolve();
    await Promise.all(requests);
    turn.say("b");
    await client.until(() => client.text.endsWith("b"));
    expect(client.text).toBe("ab");
  });
});
