import { createAgent } from "@acp-kit/agent";
import { describe, expect, test, vi } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { updatesOf } from "../../test/peers.js";
import { connectV2, v2AgentSession } from "../../test/v2-agent.js";
import { v2 } from "./index.js";

const info = { name: "c", version: "1" };

async function initialize(
  params: object,
  { version = 2, versions = [v2] }: { version?: 1 | 2; versions?: [typeof v2] | [] } = {},
) {
  const agent = connectV2({ version, options: { versions } });
  const id = agent.client.request("initialize", params).id;
  await tick();
  return { ...agent, ...agent.client.responseTo(id) } as ReturnType<typeof connectV2> & {
    result?: { protocolVersion: number };
    error?: { code: number; data?: unknown };
  };
}

describe("V2-REQ-03: the version of a connection", () => {
  test("2: the result has the form of version 2", async () => {
    const { result, connection } = await initialize({ protocolVersion: 2, info });
    expect(result).toEqual({
      protocolVersion: 2,
      info: { name: "test", version: "1" },
      capabilities: { session: { prompt: {}, mcp: { stdio: {} } } },
    });
    expect(connection.protocolVersion).toBe(2);
    expect(connection.clientInfo).toEqual(info);
  });

  test("1: the result and the connection are those of an agent without the option", async () => {
    const params = { protocolVersion: 1, clientInfo: info, clientCapabilities: { fs: { readTextFile: true } } };
    const both = await initialize(params, { version: 1 });
    const one = await initialize(params, { version: 1, versions: [] });
    expect(both.result).toEqual(one.result);
    expect(both.connection.protocolVersion).toBe(1);
    expect(both.connection.clientCapabilities).toEqual(one.connection.clientCapabilities);
  });

  test("2 without info is refused; the client can then request 1 or 2", async () => {
    const agent = await initialize({ protocolVersion: 2 });
    expect(agent.error).toMatchObject({ code: -32602 });
    const id = agent.client.request("initialize", { protocolVersion: 2, info }).id;
    await tick();
    expect(agent.client.responseTo(id)?.result).toMatchObject({ protocolVersion: 2 });
  });

  test.each([3, 65_535])("%i: the agent selects 2, and reads what it knows", async (protocolVersion) => {
    const known = await initialize({ protocolVersion, info, capabilities: { elicitation: { form: {} } } });
    expect(known.result).toMatchObject({ protocolVersion: 2 });
    expect(known.connection.clientInfo).toEqual(info);
    expect(known.connection.clientCapabilities.elicitation).toEqual({ form: {} });
    const unknown = await initialize({ protocolVersion, info: "a name" });
    expect(unknown.result).toMatchObject({ protocolVersion: 2 });
    expect(unknown.connection.clientInfo).toEqual({ name: "unknown", version: "unknown" });
  });

  test("0 is refused with the supported versions; without the option, the result is 1 as before", async () => {
    const { error } = await initialize({ protocolVersion: 0 });
    expect(error).toMatchObject({ code: -32022, data: { requested: 0, supported: [1, 2] } });
    expect((await initialize({ protocolVersion: 0 }, { version: 1, versions: [] })).result?.protocolVersion).toBe(1);
  });

  test("repeated: until the first other request, and not below 2; a failure keeps the previous result", async () => {
    const agent = await initialize({ protocolVersion: 2, info });
    const repeat = async (params: object) => {
      const id = agent.client.request("initialize", params).id;
      await tick();
      return agent.client.responseTo(id);
    };
    expect((await repeat({ protocolVersion: 1, clientInfo: info }))?.error).toMatchObject({ code: -32600 });
    expect((await repeat({ protocolVersion: 2 }))?.error).toMatchObject({ code: -32602 });
    expect(agent.connection.clientInfo).toEqual(info);
    const other = { name: "other", version: "2" };
    expect(await repeat({ protocolVersion: 2, info: other })).toHaveProperty("result.protocolVersion", 2);
    expect(agent.connection.clientInfo).toEqual(other);
    agent.client.request("session/new", { cwd: "/work" });
    expect((await repeat({ protocolVersion: 2, info }))?.error).toMatchObject({ code: -32600 });
  });

  test("version 1: a second initialize is refused, as before", async () => {
    const agent = await initialize({ protocolVersion: 1, clientInfo: info }, { version: 1 });
    const id = agent.client.request("initialize", { protocolVersion: 2, info }).id;
    await tick();
    expect(agent.client.responseTo(id)?.error).toMatchObject({ code: -32600 });
  });

  test("a client that sends the members of both versions gets version 2", async () => {
    const { result, connection } = await initialize({
      protocolVersion: 2,
      info,
      capabilities: {},
      clientInfo: info,
      clientCapabilities: { fs: { readTextFile: true }, terminal: true },
    });
    expect(result).toMatchObject({ protocolVersion: 2, info: { name: "test" } });
    expect(connection.session("s").client.offers("clientCapabilities.fs.readTextFile")).toBe(false);
    expect(connection.session("s").client.offers("clientCapabilities.terminal")).toBe(false);
  });
});

test("V2-REQ-22: an agent with login methods and without logout can't serve version 2", () => {
  const definition = {
    info,
    newSession: () => ({ sessionId: "s" }),
    prompt: async () => "end_turn" as const,
    authMethods: [{ id: "a", name: "A" }],
    authenticate: () => {},
  };
  expect(() => createAgent(definition, { versions: [v2] })).toThrow(/logout/);
  expect(() => createAgent({ ...definition, logout: () => {} }, { versions: [v2] })).not.toThrow();
  expect(() => createAgent(definition)).not.toThrow();
});

describe("V2-REQ-26", () => {
  test("a request with the id null gets -32600 with the id null", async () => {
    const agent = await v2AgentSession({
      definition: { extensions: { "_a/b": { kind: "request", handle: () => 1 } } },
    });
    agent.client.request("session/list", {}, { id: null });
    agent.client.request("_a/b", {}, { id: null });
    await tick();
    expect(agent.client.receivedSoFar()).toEqual([
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
    ]);
  });

  test("so does initialize, if it requests version 2", async () => {
    const agent = connectV2({ version: 2, options: { versions: [v2] } });
    const both = { protocolVersion: 2, info, capabilities: {}, clientInfo: info, clientCapabilities: {} };
    agent.client.request("initialize", both, { id: null });
    agent.client.request("initialize", { ...both, protocolVersion: 1 }, { id: null });
    await tick();
    expect(agent.client.receivedSoFar()).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, result: { protocolVersion: 1 } },
    ]);
  });

  test("an array gets one error", async () => {
    const agent = await v2AgentSession();
    const request = { jsonrpc: "2.0", id: 9, method: "session/list", params: {} };
    agent.client.sendValue([request, request]);
    await tick();
    expect(agent.client.receivedSoFar()).toEqual([
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
    ]);
  });

  test("a known tag with a wrong payload is an error, and reaches no handler", async () => {
    const prompt = vi.fn(async () => {});
    const agent = await v2AgentSession({ definition: { prompt } });
    const wrong = [
      { type: "text" },
      { type: "image", data: 1, mimeType: "image/png" },
      { type: "resource", resource: 1 },
    ];
    for (const block of wrong) agent.client.request("session/prompt", { sessionId: "s", prompt: [block] });
    agent.client.request("session/set_config_option", { sessionId: "s", configId: "c", type: "boolean", value: "yes" });
    await tick();
    expect(agent.log()).toEqual(["error -32602", "error -32602", "error -32602", "error -32602"]);
    expect(prompt).not.toHaveBeenCalled();
  });

  test("updates that neither version knows pass unchanged", async () => {
    const agent = await v2AgentSession();
    const update = { sessionUpdate: "_vendor/progress", percent: 5, nested: { a: null } };
    await agent.connection.session("s").update(update as never);
    await tick();
    expect(updatesOf(agent.client)).toEqual([update]);
  });
});

test("V2-REQ-24: files and terminals of the client reject with CapabilityError, and nothing is sent", async () => {
  const agent = await v2AgentSession();
  const { client } = agent.connection.session("s");
  await expect(client.readTextFile({ path: "/a" })).rejects.toMatchObject({ name: "CapabilityError" });
  await expect(client.createTerminal({ command: "ls" })).rejects.toMatchObject({ name: "CapabilityError" });
  await tick();
  expect(agent.client.receivedSoFar()).toEqual([]);
});
