// Measures ACP proxies in one process: `pnpm --filter @acp-kit/bench proxy`, after a build.
//   … proxy empty      only the scenarios whose name contains "empty"
import { connectAgent } from "@acp-kit/client";
import { Connection, linkedTransports } from "@acp-kit/jsonrpc";
import { type AcpProxy, createProxy, type ProxyDefinition, withProxies } from "@acp-kit/proxy";
import { measureApart, type Scenario } from "./measure.js";

const info = { name: "bench", version: "1" };
const CHUNKS = 50_000;
const REQUESTS = 10_000;

const chunk = {
  sessionId: "s",
  update: {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "The quick brown fox jumps over it." },
  },
};

function proxies(count: number, definition: Omit<ProxyDefinition, "info"> = {}): AcpProxy[] {
  return Array.from({ length: count }, () => createProxy({ info, ...definition }));
}

/** A client whose agent sends chunks, or requests for files, in one turn of each round. */
function scenario(name: string, chain: readonly AcpProxy[], work: "chunks" | "requests"): Scenario {
  const count = work === "chunks" ? CHUNKS : REQUESTS;
  const [clientSide, agentSide] = linkedTransports();
  const agent = new Connection(agentSide);
  agent.onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: info }));
  agent.onRequest("session/new", () => ({ sessionId: "s" }));
  agent.onRequest("session/prompt", async () => {
    for (let n = 0; n < count; n += 1) {
      if (work === "chunks") {
        const full = agent.notify("session/update", chunk);
        if (full !== undefined) await full;
      } else await agent.request("fs/read_text_file", { sessionId: "s", path: "/a" });
    }
    return { stopReason: "end_turn" };
  });
  agent.listen();
  const opened = connectAgent(withProxies(clientSide, chain), { files: { readTextFile: () => ({ content: "text" }) } });
  const session = opened.then((connection) => connection.newSession({ cwd: "/" }));
  return {
    name: `${work}, ${name}`,
    count,
    prepare: () => async () => {
      let received = 0;
      for await (const update of (await session).prompt("go"))
        received += update.sessionUpdate === "agent_message_chunk" ? 1 : 0;
      if (work === "chunks" && received !== count) throw new Error(`${received} of ${count} chunks arrived`);
    },
  };
}

await measureApart([
  scenario("no proxy", [], "chunks"),
  scenario("1 empty proxy", proxies(1), "chunks"),
  scenario("3 empty proxies", proxies(3), "chunks"),
  scenario(
    "permissions intercepted",
    proxies(1, { fromAgent: { "session/request_permission": (_, next) => next() } }),
    "chunks",
  ),
  scenario(
    "chunks intercepted",
    proxies(1, { fromAgent: { "session/update": { agent_message_chunk: (_, next) => next() } } }),
    "chunks",
  ),
  scenario(
    "chunks intercepted and read",
    proxies(1, { fromAgent: { "session/update": { agent_message_chunk: ({ params }, next) => next(params) } } }),
    "chunks",
  ),
  scenario("no proxy", [], "requests"),
  scenario("1 empty proxy", proxies(1), "requests"),
  scenario("requests intercepted", proxies(1, { fromAgent: { "fs/read_text_file": (_, next) => next() } }), "requests"),
]);
