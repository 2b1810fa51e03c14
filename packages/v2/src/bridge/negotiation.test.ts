import { linkedTransports, type Message, type Transport, type TransportReceiver } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { bridged, turn, v1Params, v1Result, v2Params, v2Result } from "../../test/bridged.js";
import { sendUpdate } from "../../test/peers.js";
import { bridgeVersions } from "./index.js";

describe("bridgeVersions: a client of version 1", () => {
  it("gets an agent of version 1 unchanged", async () => {
    const { client, agent, diagnostics } = bridged();
    client.request("initialize", { ...v1Params, extra: [1] });
    await turn();
    expect(agent.lastReceived("initialize").params).toEqual({ ...v1Params, extra: [1] });
    agent.respond(1, v1Result);
    agent.request("fs/read_text_file", { sessionId: "s", path: "/a" });
    await turn();
    expect(client.responseTo(1)).toMatchObject({ result: v1Result });
    expect(client.lastReceived("fs/read_text_file").params).toEqual({ sessionId: "s", path: "/a" });
    expect(diagnostics).toEqual([]);
  });

  it("asks an agent that refuses version 1 for version 2, on the same connection", async () => {
    const { client, agent } = bridged();
    client.request("initialize", v1Params);
    await turn();
    agent.refuse(1, -32022, "unsupported", { requested: 1, supported: [2] });
    agent.forget();
    await turn();
    expect(agent.lastReceived("initialize").params).toMatchObject({ protocolVersion: 2, info: v1Params.clientInfo });
    agent.respond(1, { ...v2Result, authMethods: [{ type: "agent", methodId: "m", name: "Login" }] });
    await turn();
    expect(client.responseTo(1)?.result).toEqual({
      protocolVersion: 1,
      agentInfo: v2Result.info,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
        auth: { logout: {} },
      },
      authMethods: [{ id: "m", name: "Login" }],
    });
  });

  it("with `prefer: 2`, offers both versions, and passes messages if the agent chooses 1", async () => {
    const { client, agent } = bridged({ prefer: 2 });
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
    client.request("initialize", { ...v1Params, clientCapabilities });
    await turn();
    expect(agent.lastReceived("initialize").params).toMatchObject({
      protocolVersion: 2,
      clientCapabilities,
      capabilities: {},
    });
    agent.respond(1, v1Result);
    await turn();
    client.request("session/new", { cwd: "/work", mcpServers: [{ name: "m", command: "m", args: [], env: [] }] });
    await turn();
    expect(agent.lastReceived("session/new").params).toMatchObject({ mcpServers: [{ name: "m" }] });
  });

  it("gets version 1 from an agent that only repeats the number 2", async () => {
    const { client, agent } = bridged({ prefer: 2 });
    client.request("initialize", v1Params);
    await turn();
    agent.respond(1, { ...v1Result, protocolVersion: 2 });
    await turn();
    expect(client.responseTo(1)).toMatchObject({ result: v1Result });
  });

  it("loses files and terminals, which are reported; with `strict`, it is refused", async () => {
    for (const strict of [false, true]) {
      const { client, agent, lost } = bridged({ prefer: 2, strict });
      client.request("initialize", { ...v1Params, clientCapabilities: { fs: { readTextFile: true }, terminal: true } });
      await turn();
      agent.respond(1, v2Result);
      await turn();
      expect(client.responseTo(1)?.error?.code).toBe(strict ? -32602 : undefined);
      expect(lost()).toEqual(strict ? [] : ["client_files", "client_terminals"]);
    }
  });

  it("gets the other errors of `initialize`, and can try again", async () => {
    const { client, agent } = bridged();
    client.request("initialize", v1Params);
    await turn();
    agent.refuse(1, -32603, "not now");
    await turn();
    expect(client.responseTo(1)?.error).toEqual({ code: -32603, message: "not now" });
    client.request("initialize", v1Params);
    await turn();
    expect(agent.lastReceived("initialize").id).toBe(2);
  });
});

describe("bridgeVersions: a client of version 2", () => {
  it("gets an agent of version 2 unchanged", async () => {
    const { client, agent } = bridged();
    client.request("initialize", v2Params);
    await turn();
    expect(agent.lastReceived("initialize").params).toMatchObject({
      ...v2Params,
      clientInfo: v2Params.info,
      clientCapabilities: { fs: { readTextFile: false }, terminal: false, session: { notices: {} } },
    });
    agent.respond(1, v2Result);
    sendUpdate(agent, { sessionUpdate: "state_update", state: "running" });
    await turn();
    expect(client.receivedSoFar()).toMatchObject([{ id: 1, result: v2Result }, { method: "session/update" }]);
  });

  it.each([1, 2])("gets an agent of version 1 that responds with %s as one of version 2", async (protocolVersion) => {
    const { client, agent } = bridged();
    client.request("initialize", v2Params);
    await turn();
    agent.respond(1, { ...v1Result, protocolVersion, authMethods: [{ id: "m", name: "Login" }] });
    await turn();
    expect(client.responseTo(1)?.result).toEqual({
      protocolVersion: 2,
      info: v1Result.agentInfo,
      capabilities: { session: { prompt: {}, mcp: { stdio: {} }, delete: {} } },
      authMethods: [{ type: "agent", methodId: "m", name: "Login" }],
    });
  });

  it("may repeat `initialize` before the first other request", async () => {
    const { client, agent } = bridged();
    client.request("initialize", v2Params);
    await turn();
    agent.respond(1, v1Result);
    await turn();
    client.request("initialize", v2Params);
    client.request("session/list", {});
    client.request("initialize", v2Params);
    await turn();
    expect(client.responseTo(2)?.result).toEqual(client.responseTo(1)?.result);
    expect(client.responseTo(4)?.error?.code).toBe(-32600);
    expect(agent.receivedSoFar().filter(({ method }) => method === "initialize")).toHaveLength(1);
  });

  it("that sends the members of both versions needs no conversion", async () => {
    const { client, agent } = bridged();
    client.request("initialize", { ...v2Params, clientInfo: v2Params.info, clientCapabilities: { terminal: true } });
    await turn();
    expect(agent.lastReceived("initialize").params).toMatchObject({ clientCapabilities: { terminal: true } });
    agent.respond(1, v1Result);
    await turn();
    expect(client.responseTo(1)).toMatchObject({ result: v1Result });
  });

  it("is refused by an agent without a common version", async () => {
    const { client, agent } = bridged();
    client.request("initialize", v2Params);
    await turn();
    agent.respond(1, { protocolVersion: 0 });
    await turn();
    expect(client.responseTo(1)?.result).toEqual({ protocolVersion: 0 });
  });
});

describe("bridgeVersions: equal versions", () => {
  it("versions.equal-unchanged: pass the same message with the same text", async () => {
    const [agentEnd, bridgeEnd] = linkedTransports({ serialize: false });
    const transport = bridgeVersions(bridgeEnd);
    const received: unknown[] = [];
    const atAgent: unknown[] = [];
    const ends = { malformed() {}, ended() {}, failed() {} };
    transport.start({ ...ends, message: (value) => received.push(value) });
    agentEnd.start({ ...ends, message: (value) => atAgent.push(value) });
    transport.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: v1Params });
    await turn();
    agentEnd.send({ jsonrpc: "2.0", id: 1, result: v1Result });
    await turn();
    const message: Message = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: {} } };
    transport.send(message, JSON.stringify(message));
    agentEnd.send(message);
    await turn();
    expect(received[1]).toBe(message);
    expect(atAgent[1]).toBe(message);
  });

  it("versions.equal-unchanged: an agent's texts are passed as texts, but not before the versions are known", async () => {
    let deliver: TransportReceiver | undefined;
    const agent: Transport = {
      command: "agent",
      full: undefined,
      start: (receiver) => {
        deliver = receiver;
      },
      send: () => 0,
      pause() {},
      resume() {},
      close: () => Promise.resolve(),
    };
    const transport = bridgeVersions(agent);
    const texts: string[] = [];
    const values: unknown[] = [];
    const ends = { malformed() {}, ended() {}, failed() {} };
    transport.start({ ...ends, message: (value) => values.push(value), text: (text) => texts.push(text) > 0 });
    expect(deliver?.text?.("{}", 2)).toBe(false);
    transport.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: v1Params });
    deliver?.message({ jsonrpc: "2.0", id: 1, result: v1Result }, 0);
    await turn();
    expect(values).toHaveLength(1);
    expect(deliver?.text?.('{"a": 1}', 8)).toBe(true);
    expect(texts).toEqual(['{"a": 1}']);
    expect(transport.command).toBe("agent");
  });
});

it("refuses unknown options", () => {
  const [end] = linkedTransports();
  expect(() => bridgeVersions(end, { preferred: 2 } as never)).toThrow("preferred");
  expect(() => bridgeVersions(end, { onDiagnostic: 1 } as never)).toThrow("onDiagnostic");
});
