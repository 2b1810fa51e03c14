import type { AgentConnection, Session } from "@acp-kit/client";
import { allClientCapabilities } from "@acp-kit/testing";
import { describe, expect, it } from "vitest";
import { transports } from "./harness/connect.js";
import { connectRaw } from "./harness/raw-agent.js";
import { promptOf, rawClient } from "./harness/raw-client.js";
import { isUpdate } from "./harness/wire.js";

const open = { sessionId: "old", cwd: "/work" };
const http = { type: "http" as const, name: "h", url: "https://example.com", headers: [] };
const image = { type: "image" as const, data: "", mimeType: "image/png" };

/** A call of a client, and the capability that it needs. */
const attempts: Readonly<Record<string, (client: AgentConnection, session: Session) => Promise<unknown>>> = {
  loadSession: (client) => client.loadSession(open),
  "sessionCapabilities.list": (client) => client.listSessions().next(),
  "sessionCapabilities.delete": (client) => client.deleteSession("old"),
  "sessionCapabilities.resume": (client) => client.resumeSession(open),
  "auth.logout": (client) => client.logout(),
  "sessionCapabilities.additionalDirectories": (client) =>
    client.newSession({ cwd: "/work", additionalDirectories: ["/more"] }),
  "promptCapabilities.image": (_client, session) => session.prompt([image]).result,
  "promptCapabilities.audio": (_client, session) => session.prompt([{ ...image, type: "audio" }]).result,
  "promptCapabilities.embeddedContext": (_client, session) =>
    session.prompt([{ type: "resource", resource: { uri: "file:///a", text: "" } }]).result,
};

describe.each(transports)("over %s", (kind) => {
  it("gate.client: CAP-01 CAP-02 CAP-03 CAP-04 CAP-05 CAP-06 CAP-07 CAP-10 CAP-11 CAP-12 calls without the agent's capability reject with the name of the capability and are never sent", async () => {
    for (const agentCapabilities of [
      undefined,
      {},
      { loadSession: "yes", sessionCapabilities: { list: null, delete: true } },
    ]) {
      await using agent = await connectRaw(kind, {}, {}, { agentCapabilities });
      const session = await agent.client.newSession({ cwd: "/work" });
      const sent = agent.peer.received.items.length;
      for (const [capability, attempt] of Object.entries(attempts)) {
        await expect(attempt(agent.client, session), capability).rejects.toMatchObject({
          name: "CapabilityError",
          capability: `agentCapabilities.${capability}`,
        });
      }
      // For an agent that can't close sessions, closing only cancels running turns. There are none.
      await session.close();
      await agent.peer.fence();
      expect(agent.peer.received.items.slice(sent).filter(({ method }) => method !== undefined)).toEqual([]);
    }
  });

  it("gate.client: CAP-08 CAP-09 MCP servers with a transport that the agent does not support are left out, each with a diagnostic", async () => {
    const left: unknown[] = [];
    const onDiagnostic = ({ code, data }: { code: string; data?: unknown }): void => {
      if (code === "mcp_server_left_out") left.push(data);
    };
    await using agent = await connectRaw(kind, { onDiagnostic }, {}, { agentCapabilities: {} });
    await agent.client.newSession({ cwd: "/work", mcpServers: [http, { ...http, type: "sse" }] });
    const asked = agent.peer.received.items.filter(({ method }) => method === "session/new");
    expect(asked).toMatchObject([{ params: { mcpServers: [] } }]);
    expect(left).toMatchObject([
      { name: "h", capability: "agentCapabilities.mcpCapabilities.http" },
      { name: "h", capability: "agentCapabilities.mcpCapabilities.sse" },
    ]);
  });

  it("gate.agent: CAP-16 CAP-17 CAP-18 CAP-19 CAP-20 CAP-21 AUTH-03 requests are sent only if the client advertised the capability", async () => {
    const params = { sessionId: "session-1", cwd: "/work", mcpServers: [] };
    const play = async (
      clientCapabilities: object,
    ): Promise<{ auth: unknown[]; booleans: number; said: unknown[] }> => {
      await using client = await rawClient(kind);
      const { peer } = client;
      peer.answer("elicitation/create", { action: "cancel" });
      const { result } = await peer.request("initialize", { protocolVersion: 1, clientCapabilities });
      const answers = [
        await peer.request("session/new", params),
        await peer.request("session/load", params),
        await peer.request("session/resume", params),
        await peer.request("session/set_config_option", { sessionId: "session-1", configId: "model", value: "fast" }),
      ];
      await peer.request("session/prompt", promptOf("gated"));
      const gated = peer.received.items.filter((message) =>
        ["config_option_update", "notice", "compaction_update"].some((name) => isUpdate(name)(message)),
      );
      return {
        auth: (result as { authMethods: { id: string }[] }).authMethods.map(({ id }) => id),
        booleans: JSON.stringify([...answers, ...gated]).split('"boolean"').length - 1,
        said: [
          ...gated.map(({ params }) => params?.update?.sessionUpdate),
          ...peer.received.items
            .filter(({ method }) => method === "elicitation/create")
            .map(({ params }) => params?.mode),
          ...peer.received.items
            .filter(isUpdate("agent_message_chunk"))
            .map(({ params }) => (params?.update as { content?: { text: string } } | undefined)?.content?.text)
            .filter((text) => text?.startsWith("clientCapabilities")),
        ],
      };
    };
    const session = "clientCapabilities.session";
    expect(await play({ elicitation: {}, session: {} })).toEqual({
      auth: ["token"],
      booleans: 0,
      said: [
        "config_option_update",
        ...[`${session}.notices`, `${session}.compaction`],
        ...["clientCapabilities.elicitation.form", "clientCapabilities.elicitation.url"],
      ],
    });
    expect(await play(allClientCapabilities)).toEqual({
      auth: ["token", "tui"],
      booleans: 5,
      said: ["config_option_update", "notice", "compaction_update", "form", "url"],
    });
  });
});
