// #region serve
import { createGateway, type Gateway, type GatewayEventListener } from "@acp-kit/gateway";
import { sqliteEngine } from "@acp-kit/gateway/node";
import { spawnAgent } from "@acp-kit/stdio/node";

/** Serves a stdio agent; sessions are kept in one file. */
export function serveAgent(path: string, command: string, log: GatewayEventListener): Promise<Gateway> {
  return createGateway({
    engine: sqliteEngine({ path }),
    start: ({ session }) => spawnAgent({ command, ...(session && { cwd: session.cwd }) }),
    policy: { sleepAfterMs: 10 * 60_000, delegate: { files: false } },
    onEvent: log,
  });
}

// #endregion serve

// #region in-process
import { createAgent } from "@acp-kit/agent";
import { connectAgent, linkedTransports } from "@acp-kit/client";
import { memoryEngine } from "@acp-kit/gateway";

const agent = createAgent({
  info: { name: "hello", version: "1.0.0" },
  newSession: () => ({ sessionId: "1" }),
  prompt: async (turn) => {
    await turn.message(`Hello, ${turn.text}`);
  },
});

/**
 * Two clients connect, one after the other. The second client loads the history of the first client's session, although
 * the agent does not support `session/load`.
 */
export async function loadElsewhere(): Promise<string[]> {
  const gateway = await createGateway({
    engine: memoryEngine(),
    start: () => {
      const [ours, theirs] = linkedTransports();
      agent.connect(theirs);
      return ours;
    },
  });
  const connect = () => {
    const [ours, theirs] = linkedTransports();
    gateway.accept(theirs, { tenant: "acme", user: "ann" });
    return connectAgent(ours);
  };
  const first = await connect();
  const session = await first.newSession({ cwd: "/work" });
  await session.prompt("world").result;
  await first.close();

  const texts: string[] = [];
  const second = await connect();
  await second.loadSession(
    { sessionId: session.sessionId, cwd: "/work" },
    { onUpdate: ({ sessionUpdate }) => void texts.push(sessionUpdate) },
  );
  await gateway.close();
  return texts;
}
// #endregion in-process
