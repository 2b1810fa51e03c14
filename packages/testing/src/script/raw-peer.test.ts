import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, it } from "vitest";
import { openMemoryPair } from "../memory-pair.js";
import { clientScript } from "./client-script.js";
import { rawPeer } from "./raw-peer.js";

it("a raw peer sends nothing by itself: it neither responds to requests nor refuses them", async () => {
  const [ours, theirs] = linkedTransports();
  const client = clientScript().connect(theirs);
  const agent = rawPeer(ours);
  const initialized = client.initialize();
  client.notify("$/cancel_request", { requestId: initialized.id });
  await agent.received("$/cancel_request");
  expect(agent.seen.map(({ from }) => from)).toEqual(["client", "client"]);
  agent.respond(agent.lastReceived("initialize"), { protocolVersion: 7 });
  expect((await initialized).result).toEqual({ protocolVersion: 7 });
  await client.close();
});

it("a raw peer passes every message to onMessage, before it receives the next one", async () => {
  const [ours, theirs] = openMemoryPair();
  const client = clientScript().connect(theirs);
  const methods: unknown[] = [];
  const agent = rawPeer(ours, {
    onMessage({ id, method, params }, peer) {
      methods.push(method ?? id);
      if (id !== undefined && method !== undefined) peer.send({ id, result: params }, { method: "_after", params });
      if (method === "_wrong") throw new Error("the test is wrong");
    },
  });
  client.respond("one", {});
  const second = client.request("_echo", { a: 1 });
  client.notify("_wrong");
  client.sendValue([1]);
  expect(await second).toEqual({ jsonrpc: "2.0", id: second.id, result: { a: 1 } });
  expect(client.receivedSoFar().map(({ method }) => method)).toEqual([undefined, "_after"]);
  expect(client.seen.length).toBe(6);
  expect(methods).toEqual(["one", "_echo", "_wrong"]); // a list is an invalid message: it is only in `seen`
  expect(agent.seen.at(-1)).toMatchObject({ from: "client", text: "[1]" });
  await client.close();
  await expect(agent.close()).rejects.toThrow("the test is wrong");
});

it("a peer finds received messages, and ignores those before `forget`", async () => {
  const [ours, theirs] = linkedTransports();
  const agent = rawPeer(ours);
  const client = rawPeer(theirs, { side: "client" });
  const { id } = client.request("session/new", { cwd: "/a" });
  client.request("session/new", { cwd: "/b" });
  agent.respond(id, { sessionId: "s" });
  await agent.received(({ params }) => JSON.stringify(params).includes("/b"));
  expect(agent.lastReceived("session/new").params).toEqual({ cwd: "/b" });
  expect(client.responseTo(id)).toMatchObject({ result: { sessionId: "s" } });
  expect(client.responseTo(2)).toBeUndefined();
  agent.forget();
  client.forget();
  expect(agent.receivedSoFar()).toEqual([]);
  expect(client.responseTo(id)).toBeUndefined();
  expect(() => agent.lastReceived("session/new")).toThrow(
    /The agent has not received session\/new.*client → session\/new 1 /s,
  );
  const next = agent.received("session/new");
  client.request("session/new", { cwd: "/c" });
  expect((await next).params).toEqual({ cwd: "/c" });
  expect(agent.seen.length).toBe(4);
  await client.close();
});

it("a raw peer refuses unknown options", () => {
  expect(() => rawPeer(openMemoryPair()[0], { onMesage() {} } as never)).toThrow(TypeError);
});
