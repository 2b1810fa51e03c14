import { type AgentConnection, connectAgent, type Diagnostic } from "@acp-kit/client";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { mcpTools } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";
import type { Tap } from "@acp-kit/protocol";
import { spawnAgent, superviseAgent } from "@acp-kit/stdio/node";
import { plainModel, startModel } from "@acp-kit/testing/model";
import { v2 } from "@acp-kit/v2/client";
import { afterEach, describe, expect, it } from "vitest";
import { realAgents } from "./peers/real-agents.js";

const { agents, reason } = realAgents();
if (agents.length === 0) {
  console.log(`Not run: tools of an application in real agents, because ${reason}.`);
  it.skip(`real agents: ${reason}`, () => {});
}

const timeout = 300_000; // the agents start slowly
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0).reverse()) await run();
});

/** Each agent in version 1, and in version 2 if it has it. */
const connections = agents.flatMap((agent) => [
  { ...agent, version: 1 },
  ...(agent.name === "claude" ? [{ ...agent, version: 2 }] : []),
]);

describe.each(connections)("tools of an application in $name, version $version", { timeout }, (agent) => {
  async function opened() {
    const calls: string[] = [];
    const tools = mcpTools("desk", {
      lookup: {
        description: "Returns the secret number of the session's folder",
        input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        run: async ({ name }, { session }) => {
          calls.push(`${name} of ${await session.id} in ${session.cwd}`);
          return `number-${calls.length}`;
        },
      },
    });
    const model = await startModel({
      script: (request) => {
        const { tools: offered, results } = request;
        if (offered.length === 0) return plainModel(request); // a title, or the choice of a model
        const tool = offered.find(({ name }) => /desk.*lookup/.test(name));
        if (results.some((result) => result.includes("number-"))) return { text: [`Done: ${results.at(-1)}`] };
        if (tool !== undefined) return { calls: [{ name: tool.name, input: { name: "ada" } }] };
        const search = results.length === 0 && offered.some(({ name }) => name === "ToolSearch"); // Claude Code
        const input = { query: "select:mcp__desk__lookup", max_results: 5 };
        return search ? { calls: [{ name: "ToolSearch", input }] } : { text: ["No tool."] };
      },
    });
    cleanup.push(() => model[Symbol.asyncDispose]());
    const place = agent.prepare(model.url);
    cleanup.push(() => place.remove());
    const diagnostics: Diagnostic[] = [];
    const transport = spawnAgent(place.spawn);
    const declared: unknown[] = [];
    const send = transport.send.bind(transport);
    transport.send = (message) => {
      if ("method" in message && message.method === "session/new") declared.push(message.params);
      return send(message);
    };
    const seen: Parameters<Tap>[0][] = [];
    const client: AgentConnection = await connectAgent(transport, {
      info: { name: "interop", version: "1.0.0" },
      ...(agent.version === 2 && { versions: [v2] as const }),
      mcp: serveMcp(tools),
      permissions: async () => "allow_once",
      tap: (event) => seen.push(event),
      tapSecrets: true,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    cleanup.push(() => client.close());
    return { calls, client, place, declared, diagnostics, seen };
  }

  it("calls a tool with the session that asked", async () => {
    const { calls, client, place, declared, diagnostics, seen } = await opened();
    expect(client.protocolVersion).toBe(agent.version);
    const session = await client.newSession({ cwd: place.cwd });
    const text = await session.prompt("Look up the number of ada with the tool lookup.").text();
    expect(diagnostics.filter(({ code }) => code === "mcp_server_left_out")).toEqual([]);
    expect(calls).toEqual([`ada of ${session.sessionId} in ${place.cwd}`]);
    expect(text).toContain("number-1");
    const [server] = (declared[0] as { mcpServers: { type?: string; headers: { value: string }[] }[] }).mcpServers;
    expect(server?.type).toBe("http");
    const token = server?.headers[0]?.value.split(" ")[1] as string;
    expect(JSON.stringify(seen)).not.toContain(token);
  });
});

const claude = agents.filter(({ name }) => name === "claude");
describe.each(claude)(
  "mcp.restart: tools of an application in $name, whose process ends and is started again",
  { timeout },
  (agent) => {
    it("have the same addresses in the resumed session; a running call is aborted, and later ones arrive", async () => {
      const running = deferred<AbortSignal>();
      const calls: string[] = [];
      const tools = mcpTools("desk", {
        lookup: {
          description: "Returns the secret number of a name",
          input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          run: async ({ name }, { session, signal }) => {
            calls.push(`${name} of ${await session.id}`);
            if (name !== "hang") return `number-${calls.length}`;
            running.resolve(signal);
            return new Promise(() => {});
          },
        },
      });
      const model = await startModel({
        script: (request) => {
          const { tools: offered, results, prompts } = request;
          if (offered.length === 0) return plainModel(request);
          const tool = offered.find(({ name }) => /desk.*lookup/.test(name));
          if (results.some((result) => result.includes("number-"))) return { text: [`Done: ${results.at(-1)}`] };
          const name = prompts.at(-1)?.includes("hang") ? "hang" : "ada";
          if (tool !== undefined) return { calls: [{ name: tool.name, input: { name } }] };
          const search = results.length === 0 && offered.some(({ name }) => name === "ToolSearch");
          const input = { query: "select:mcp__desk__lookup", max_results: 5 };
          return search ? { calls: [{ name: "ToolSearch", input }] } : { text: ["No tool."] };
        },
      });
      cleanup.push(() => model[Symbol.asyncDispose]());
      const place = agent.prepare(model.url);
      cleanup.push(() => place.remove());
      const supervisor = superviseAgent(place.spawn);
      const opened: { method: string; servers: unknown }[] = [];
      const processes: number[] = [];
      const source = {
        open: async () => {
          const transport = await supervisor.open();
          processes.push(transport.pid as number);
          const send = transport.send.bind(transport);
          transport.send = (message) => {
            if ("method" in message && /^session\/(?:new|load|resume)$/.test(message.method))
              opened.push({ method: message.method, servers: (message.params as { mcpServers: unknown }).mcpServers });
            return send(message);
          };
          return transport;
        },
        close: () => supervisor.close(),
      };
      const client = await connectAgent(source, {
        info: { name: "interop", version: "1.0.0" },
        mcp: serveMcp(tools),
        permissions: async () => "allow_once",
      });
      cleanup.push(() => client.close());
      const session = await client.newSession({ cwd: place.cwd });
      const { sessionId } = session;
      expect(await session.prompt("Look up the number of ada.").text()).toContain("number-1");
      const hanging = session.prompt("Look up the number of hang.");
      const failed = expect(hanging.result).rejects.toMatchObject({ name: "ConnectionError" });
      const signal = await running.promise;
      process.kill(processes[0] as number, "SIGKILL");
      await failed;
      await expect.poll(() => signal.aborted).toBe(true);
      expect(await session.prompt("Look up the number of ada.").text()).toContain("number-3");
      expect(calls).toEqual([`ada of ${sessionId}`, `hang of ${sessionId}`, `ada of ${sessionId}`]);
      expect(processes).toHaveLength(2);
      const [first, second] = opened;
      expect([first?.method, second?.method]).toEqual(["session/new", "session/resume"]);
      expect(second?.servers).toEqual(first?.servers);
    });
  },
);
