import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import { type RealAgent, realAgents, startModel } from "@acp-kit/interop-tests/real-agents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fireClient } from "./client.js";
import { times } from "./counts.js";
import { cuttingProxy } from "./cutting-proxy.js";
import { agentsOf, noProcessesOf, type ServerHome, serverHome, startServer } from "./served.js";

const { agents, reason } = realAgents();
if (agents.length === 0) {
  console.log(`Not run: real agents behind acp-kit serve, because ${reason}.`);
  it.skip(`real agents: ${reason}`, () => {});
}

const rounds = times(2, 10);

describe.each(agents)("fire.real-agents: $name behind acp-kit serve", { timeout: 600_000 }, (agent) => {
  let model: Awaited<ReturnType<typeof startModel>>;
  let peer: ReturnType<RealAgent["prepare"]>;
  let place: ServerHome;
  let program: string;
  beforeAll(async () => {
    program = await buildCommandLine();
    model = await startModel();
    peer = agent.prepare(model.url);
    place = { ...(await serverHome()), work: peer.cwd };
  });
  afterAll(() => {
    model?.close();
    peer?.remove();
    place?.remove();
  });

  const start = () => {
    const { command, args = [], env = {} } = peer.spawn;
    const given = Object.fromEntries(
      Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    // The agent has a temporary home of its own. The server's processes are found by HOME in the process table.
    const assignments = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    return startServer(place, { program, agent: ["env", ...assignments, command, ...args] });
  };

  it(`cut sockets, killed agents and killed servers, ${rounds} times each: every response arrives once`, async () => {
    let server = await start();
    const proxy = await cuttingProxy(place.port);
    const client = await fireClient(place, "http", proxy.port);
    const session = await client.open();
    const history: string[] = [];
    for (let round = 0; round < rounds; round++) {
      proxy.cutEvery(500, 3);
      await session.prompt("PING").result;
      const answer = client.take();
      expect(answer).toBe("PONG from fake model");
      history.push(answer);

      for (const pid of agentsOf(server)) process.kill(pid, "SIGKILL");
      // The agent can't open its session again, according to its capabilities.
      if (!agent.scenarios.includes("load")) break;
      // If the server has not detected the kill yet, this prompt fails with a typed error, and the next one starts the
      // agent.
      await session.prompt("PING").result.catch((error: unknown) => {
        expect(error).toMatchObject({ data: { reason: "agent_failed" } });
        return session.prompt("PING").result;
      });
      history.push(client.take());

      await server.end("SIGKILL");
      server = await start();
      await session.prompt("PING").result;
      history.push(client.take());
    }
    expect(new Set(history)).toEqual(new Set(["PONG from fake model"]));
    const other = await fireClient(place);
    await other.open(session.sessionId);
    expect(other.take()).toBe(history.join(""));
    await Promise.all([client[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    await proxy.close();
    expect(await server.end()).toBe(0);
    await noProcessesOf(place.home);
    await noProcessesOf(peer.spawn.env?.HOME ?? "");
  });
});
