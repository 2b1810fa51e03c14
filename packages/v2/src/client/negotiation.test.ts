import { type ConnectAgentOptions, connectAgent, isInvalidOptionError, isVersionError } from "@acp-kit/client";
import { type Diagnostic, linkedTransports } from "@acp-kit/jsonrpc";
import { expect, it, onTestFinished } from "vitest";
import { turn, v1Result, v2Result } from "../../test/bridged.js";
import { info } from "../../test/connected.js";
import { rawPeer } from "../../test/peers.js";
import { v2 } from "./index.js";

function connecting(options: ConnectAgentOptions = {}) {
  const [agentEnd, clientEnd] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  const agent = rawPeer(agentEnd);
  const client = connectAgent(clientEnd, {
    info,
    versions: [v2],
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  client.catch(() => {});
  onTestFinished(async () => {
    await agent.close();
    await client.then(
      (connection) => connection.close(),
      () => {},
    );
    expect(agent).toHaveConformantDialogue();
  });
  return { agent, client, diagnostics };
}

const files = { readTextFile: () => ({ content: "" }) };

it("V2-REQ-02: one initialize has the members of both versions", async () => {
  const { agent } = connecting({ files, elicitation: { form: () => ({ action: "cancel" }) } });
  await turn();
  expect(agent.lastReceived("initialize").params).toMatchObject({
    protocolVersion: 2,
    info,
    capabilities: { elicitation: { form: {} } },
    clientInfo: info,
    clientCapabilities: { fs: { readTextFile: true }, elicitation: { form: {} } },
  });
  expect((agent.lastReceived("initialize").params as { capabilities: object }).capabilities).not.toHaveProperty("fs");
});

it("V2-REQ-01: without versions, initialize is that of version 1", async () => {
  const { agent } = connecting({ versions: [] });
  await turn();
  expect(Object.keys(agent.lastReceived("initialize").params as object).sort()).toEqual([
    "clientCapabilities",
    "clientInfo",
    "protocolVersion",
  ]);
});

it("V2-REQ-03: an agent that chooses 2 is used in version 2", async () => {
  const { agent, client } = connecting();
  await turn();
  agent.respond(agent.lastReceived("initialize").id, {
    ...v2Result,
    capabilities: { session: { prompt: { image: {} }, delete: {} } },
    authMethods: [{ type: "agent", methodId: "m", name: "M" }],
  });
  const connection = await client;
  expect(connection.protocolVersion).toBe(2);
  expect(connection.info).toEqual({ name: "a", version: "1" });
  expect(connection.offers("agentCapabilities.loadSession")).toBe(true);
  expect(connection.offers("agentCapabilities.promptCapabilities.image")).toBe(true);
  expect(connection.offers("agentCapabilities.promptCapabilities.audio")).toBe(false);
  expect(connection.authMethods).toMatchObject([{ kind: "agent", id: "m", name: "M" }]);
});

it("V2-REQ-03: an agent that chooses 1 is used in version 1, on the same connection", async () => {
  const { agent, client, diagnostics } = connecting({});
  await turn();
  agent.respond(agent.lastReceived("initialize").id, v1Result);
  const connection = await client;
  expect(connection.protocolVersion).toBe(1);
  void connection.newSession({ cwd: "/work" }).catch(() => {});
  await turn();
  expect(agent.lastReceived("session/new").params).toEqual({ cwd: "/work", mcpServers: [] });
  expect(diagnostics).toEqual([]);
});

it("V2-REQ-03: an agent of version 1 that repeats the number 2 is used in version 1, and reported", async () => {
  const { agent, client, diagnostics } = connecting({});
  await turn();
  agent.respond(agent.lastReceived("initialize").id, { ...v1Result, protocolVersion: 2 });
  expect((await client).protocolVersion).toBe(1);
  expect(diagnostics).toMatchObject([{ code: "dialect", data: { rule: "echoed-version" } }]);
});

it("V2-REQ-03: an agent that refuses 2 with -32022 and supports 1 gets a second initialize with 1", async () => {
  const { agent, client } = connecting({});
  await turn();
  agent.refuse(agent.lastReceived("initialize").id, -32022, "unsupported", { requested: 2, supported: [1] });
  await turn();
  const second = agent.lastReceived("initialize");
  expect(second.params).toMatchObject({ protocolVersion: 1, clientInfo: info });
  expect(second.params).not.toHaveProperty("info");
  agent.respond(second.id, v1Result);
  expect((await client).protocolVersion).toBe(1);
});

it.each([
  [-32022, { requested: 2, supported: [3] }],
  [-32602, undefined],
  [-32603, { supported: [1] }],
])("V2-REQ-03: the error %i with %j is not retried", async (code, data) => {
  const { agent, client } = connecting();
  await turn();
  agent.refuse(agent.lastReceived("initialize").id, code, "no", data);
  await expect(client).rejects.toMatchObject({ code });
  expect(agent.receivedSoFar().filter(({ method }) => method === "initialize")).toHaveLength(1);
});

it.each([0, 3, 65_535])(
  "V2-REQ-03: the version %i closes the connection with VersionError",
  async (protocolVersion) => {
    const { agent, client } = connecting();
    await turn();
    agent.respond(agent.lastReceived("initialize").id, { ...v2Result, protocolVersion });
    const error = await client.catch((reason: unknown) => reason);
    expect(isVersionError(error)).toBe(true);
    expect(error).toMatchObject({ offered: protocolVersion, supported: [2, 1] });
    expect((await agent.closed).how).toBe("ended");
  },
);

it("versions need the name of the client", async () => {
  const [, clientEnd] = linkedTransports();
  const error = await connectAgent(clientEnd, { versions: [v2] }).catch((reason: unknown) => reason);
  expect(isInvalidOptionError(error)).toBe(true);
  expect((error as Error).message).toContain("info");
});

it("a message right after the response to initialize is one of version 2", async () => {
  const { agent, client, diagnostics } = connecting({ permissions: async () => "allow_once" });
  await turn();
  agent.respond(agent.lastReceived("initialize").id, v2Result);
  const id = agent.request(
    "session/request_permission",
    {
      sessionId: "unknown",
      title: "May I?",
      options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
    },
    { id: "p" },
  ).id;
  await client;
  await turn();
  expect(agent.responseTo(id)?.result).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
  expect(diagnostics).toEqual([]);
});

it("V2-REQ-24: methods for the client's files are refused in version 2", async () => {
  const { agent, client } = connecting({ files });
  await turn();
  agent.respond(agent.lastReceived("initialize").id, v2Result);
  await client;
  const id = agent.request("fs/read_text_file", { sessionId: "s", path: "/a" }, { id: "f" }).id;
  await turn();
  expect(agent.responseTo(id)?.error).toMatchObject({ code: -32601 });
});
