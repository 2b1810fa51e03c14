// Measures tool calls beside plain requests, in one process: `pnpm --filter @acp-kit/bench mcp`, after a build.
//   … mcp acp      only the scenarios whose name contains "acp"
import { connectAgent, type Session } from "@acp-kit/client";
import { Connection, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { mcpTools } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";
import { nodeTransport, spawnAgent } from "@acp-kit/stdio/node";
import { measureApart, type Scenario } from "./measure.js";

const REQUESTS = 10_000;
const HTTP_REQUESTS = 1_000;

const tools = mcpTools("bench", {
  read: {
    description: "Reads a file",
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    run: () => "text",
  },
});

interface Entry {
  readonly serverId: string;
  readonly url: string;
  readonly headers: readonly { readonly value: string }[];
}

type Call = (agent: Connection, server: Entry) => Promise<unknown>;

interface Work {
  readonly count: number;
  readonly mcpCapabilities: object;
  readonly call: Call;
}

/** An agent that makes one call after the other in each turn. */
function startAgent(transport: Transport, { count, mcpCapabilities, call }: Work): void {
  const agent = new Connection(transport);
  let server: Entry | undefined;
  agent.onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities } }));
  agent.onRequest("session/new", (params) => {
    [server] = (params as { mcpServers: Entry[] }).mcpServers;
    return { sessionId: "s" };
  });
  agent.onRequest("session/prompt", async () => {
    for (let n = 0; n < count; n += 1) await call(agent, server as Entry);
    return { stopReason: "end_turn" };
  });
  agent.listen();
}

/** A client with a file and a tool, whose agent runs in this process, or in one of its own. */
function scenario(name: string, work: Work, where: "here" | "process" = "here"): Scenario {
  let session: Promise<Session> | undefined;
  const open = async (): Promise<Session> => {
    const connection = await connectAgent(where === "here" ? linked(work) : inProcess(name), {
      files: { readTextFile: () => ({ content: "text" }) },
      ...(Object.keys(work.mcpCapabilities).length > 0 && { mcp: serveMcp(tools) }),
    });
    return connection.newSession({ cwd: "/" });
  };
  const { count } = work;
  return {
    name,
    count,
    prepare: () => {
      session ??= open();
      const opened = session;
      return async () => void (await (await opened).prompt("go").result);
    },
  };
}

function linked(work: Work): Transport {
  const [clientSide, agentSide] = linkedTransports();
  startAgent(agentSide, work);
  return Object.assign(clientSide, { command: "agent" });
}

function inProcess(name: string): Transport {
  const [script = ""] = process.argv.slice(1);
  return spawnAgent({ command: process.execPath, args: [...process.execArgv, script, name, "agent"] });
}

const file: Call = (agent) => agent.request("fs/read_text_file", { sessionId: "s", path: "/a" });
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
let calls = 0;

const overHttp: Call = async (_, { url, headers }) => {
  const params = { name: "read", arguments: { path: "/a" } };
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: headers[0]?.value ?? "", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return response.json();
};

const overAcp: Call = (agent, { serverId }) => {
  calls += 1;
  const params = { name: "read", arguments: { path: "/a" }, _meta: meta };
  return agent.request("mcp/message", { serverId, requestId: `${calls}`, method: "tools/call", params });
};

const plain: Work = { count: REQUESTS, mcpCapabilities: {}, call: file };
const acp: Work = { count: REQUESTS, mcpCapabilities: { acp: true }, call: overAcp };
const http: Work = { count: HTTP_REQUESTS, mcpCapabilities: { http: true }, call: overHttp };
const overPipes: Readonly<Record<string, Work>> = {
  "requests over stdio": plain,
  "tool calls over acp, over stdio": acp,
  "tool calls over HTTP, agent in a process": http,
};

const [wanted = "", role] = process.argv.slice(2);
if (role === "agent") startAgent(nodeTransport(process.stdin, process.stdout), overPipes[wanted] as Work);
else {
  await measureApart([
    scenario("requests", plain),
    scenario("requests beside an MCP server over acp", { ...acp, call: file }),
    scenario("tool calls over acp", acp),
    ...Object.entries(overPipes).map(([name, work]) => scenario(name, work, "process")),
  ]);
  process.exit();
}
