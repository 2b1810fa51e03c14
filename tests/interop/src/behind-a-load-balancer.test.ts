import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as openSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@acp-kit/agent";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { freePort } from "@acp-kit/configs/free-port";
import { root } from "@acp-kit/configs/packages";
import { createGateway, type Engine, type Gateway, memoryEngine } from "@acp-kit/gateway";
import { type GatewayServer, serveGateway } from "@acp-kit/gateway/node";
import { tokenAuthentication } from "@acp-kit/http";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listening, replaceAll } from "./peers/proxy.js";
import { type Profile, profiles } from "./peers/remote-servers.js";

const program = ["/usr/sbin/haproxy", "/usr/bin/haproxy", "/usr/local/sbin/haproxy"].find(existsSync);
if (program === undefined)
  console.log("Skipped: HAProxy is not installed, so the configuration in docs/hosting was not tested.");

const file = join(root, "docs", "hosting", "haproxy.cfg");
const TOKEN = "secret";

/** Ends the turn that runs with the prompt `wait`. */
let endTurn: (() => void) | undefined;

interface Replica {
  readonly gateway: Gateway;
  readonly server: GatewayServer;
}

/** Starts a gateway and its server. The gateways of one engine are replicas. */
async function startReplica(engine: Engine): Promise<Replica> {
  const agent = createAgent({
    info: { name: "balanced", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    loadSession: () => ({}),
    prompt: async (turn) => {
      if (turn.text === "wait")
        await new Promise<void>((resolve) => {
          endTurn = resolve;
        });
      await turn.message(`about ${turn.text}`);
    },
  });
  const gateway = await createGateway({
    engine,
    start: () => {
      const [ours, theirs] = linkedTransports();
      agent.connect(theirs);
      return ours;
    },
  });
  const authenticate = tokenAuthentication(TOKEN);
  return { gateway, server: await serveGateway(gateway, { authenticate, allowedHosts: ["localhost"] }) };
}

describe.skipIf(program === undefined)("the configuration of HAProxy in docs/hosting", () => {
  it("is valid", () => {
    execFileSync(program ?? "", ["-c", "-f", file], { stdio: "pipe" }); // throws with the errors
  });

  describe.each(profiles)("with two replicas, over %s", (profile) => {
    let folder: string;
    let replicas: Replica[];
    let proxy: ChildProcess;
    let port: number;

    beforeAll(async () => {
      endTurn = undefined;
      folder = mkdtempSync(join(tmpdir(), "acp-kit-balancer-"));
      const engine = memoryEngine();
      replicas = [await startReplica(engine), await startReplica(engine)];
      port = await freePort();
      const lines = replicas.map(({ server }, i) => `server gateway${i} 127.0.0.1:${server.port} check inter 1s`);
      const config = replaceAll(readFileSync(file, "utf8"), {
        "bind :8080": `bind 127.0.0.1:${port}`,
        // Two known addresses in place of the names that Docker resolves.
        "server-template gateway 10 gateway:8080 check inter 1s resolvers docker init-addr none": lines.join("\n  "),
      });
      const socket = `global\n  stats socket ${join(folder, "stats")}\n`;
      writeFileSync(join(folder, "haproxy.cfg"), socket + config);
      proxy = spawn(program ?? "", ["-db", "-f", join(folder, "haproxy.cfg")], { stdio: "ignore" });
      await listening(port);
    }, 60_000);
    afterAll(async () => {
      const ended = once(proxy, "exit");
      proxy.kill("SIGTERM");
      await ended;
      for (const { gateway, server } of replicas) {
        await server.close();
        await gateway.close();
      }
      rmSync(folder, { recursive: true });
    });

    const connect = (through: Profile): Promise<AgentConnection> => {
      const options = { token: TOKEN };
      const source =
        through === "WebSocket"
          ? webSocketAgent(`ws://localhost:${port}/acp`, options)
          : httpAgent(`http://localhost:${port}/acp`, options);
      return connectAgent(source);
    };

    it("sends all requests of one connection to the same server, and connections to both servers", async () => {
      const clients = await Promise.all(Array.from({ length: 6 }, () => connect(profile)));
      const results = await Promise.all(
        clients.map(async (client) => {
          const session = await client.newSession({ cwd: "/" });
          return (await session.prompt("one").result).stopReason;
        }),
      );
      expect(results).toEqual(clients.map(() => "end_turn"));
      expect(replicas.map(({ server }) => server.connections)).toEqual([3, 3]);
      await Promise.all(clients.map((client) => client.close()));
    });

    it.runIf(profile === "streamable HTTP")(
      "keeps the entry of a connection in use while a stream of the connection is open, so that it does not expire",
      async () => {
        const client = await connect(profile);
        await client.newSession({ cwd: "/" });
        const entriesInUse = async (): Promise<number> => {
          const socket = openSocket(join(folder, "stats")).setEncoding("utf8");
          socket.end("show table gateways\n");
          let table = "";
          for await (const part of socket) table += part;
          return table.match(/ use=[1-9]/g)?.length ?? 0;
        };
        expect(await entriesInUse()).toBe(1);
        await client.close();
        await expect.poll(entriesInUse).toBe(0);
      },
    );

    it("sends no new connection to a server that drains; its running turns end, and its sessions continue on the other server", async () => {
      const client = await connect(profile);
      const session = await client.newSession({ cwd: "/" });
      const [first, second] = replicas as [Replica, Replica];
      const [draining, other] = first.server.connections === 1 ? [first, second] : [second, first];
      expect([draining.server.connections, other.server.connections]).toEqual([1, 0]);
      const { result } = session.prompt("wait");
      await expect.poll(() => endTurn).toBeDefined();

      const drained = draining.server.drain();
      const statuses = async (): Promise<number[]> => {
        const checks = Array.from({ length: 4 }, () => fetch(`http://localhost:${port}/readyz`));
        return (await Promise.all(checks)).map(({ status }) => status);
      };
      await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 200, 200, 200]);
      const later = await Promise.all(Array.from({ length: 3 }, () => connect(profile)));
      expect([draining.server.connections, other.server.connections]).toEqual([1, 3]);

      endTurn?.();
      expect((await result).stopReason).toBe("end_turn");
      await drained;
      const moved = await later[0]?.loadSession({ sessionId: session.sessionId, cwd: "/" });
      expect((await moved?.prompt("two").result)?.stopReason).toBe("end_turn");
      await Promise.all([client, ...later].map((one) => one.close()));
    });
  });
});
