// Our client of both versions behind a proxy that cuts its sockets, a gateway, and an agent of each version.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { serveGateway } from "@acp-kit/gateway/node";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { linkedTransports } from "@acp-kit/protocol";
import { v2 as agentOfV2 } from "@acp-kit/v2/agent";
import { v2 as clientOfV2 } from "@acp-kit/v2/client";
import { v2 as gatewayOfV2 } from "@acp-kit/v2/gateway";
import { expect, it, onTestFinished } from "vitest";

/** The numbers of bytes from the server after which the proxy cuts all sockets, one after the other. */
const CUTS = [1, 157, 700, 1_500, 2_900, 4_300];
const words = Array.from({ length: 60 }, (_, index) => `word ${index}; `);

/** A proxy that cuts its sockets as {@link CUTS} says, once `begin` was called. */
async function cuttingProxy(port: number) {
  const sockets = new Set<Socket>();
  let left: number[] = [];
  let passed = 0;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {}); // "close" follows
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      const [next = Number.POSITIVE_INFINITY] = left;
      client.write(chunk.subarray(0, next - passed));
      passed += chunk.length;
      if (passed < next) return;
      left.shift();
      passed = 0;
      for (const socket of sockets) socket.destroySoon();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return {
    port: (server.address() as AddressInfo).port,
    begin: () => {
      left = [...CUTS];
      passed = 0;
    },
    get left() {
      return left.length;
    },
  };
}

const profiles = [
  ["streamable HTTP", httpAgent, "http"],
  ["WebSocket", webSocketAgent, "ws"],
] as const;

it.each(
  profiles.flatMap(([name, open, scheme]) => ([1, 2] as const).map((version) => ({ name, open, scheme, version }))),
)(
  "versions.reconnect: a client of version $version receives a turn once and its end, although its sockets over $name are cut",
  async ({ open, scheme, version }) => {
    const prompts: string[] = [];
    const agent = createAgent(
      {
        info: { name: "agent", version: "1" },
        newSession: () => ({ sessionId: crypto.randomUUID() }),
        resumeSession: () => ({}),
        prompt: async (turn) => {
          prompts.push(turn.text);
          for (const word of words) {
            await turn.message(word);
            await new Promise((resolve) => setImmediate(resolve));
          }
          return { stopReason: "max_tokens" };
        },
      },
      version === 2 ? { versions: [agentOfV2] } : {},
    );
    const gateway = await createGateway({
      engine: memoryEngine(),
      versions: [gatewayOfV2],
      start: () => {
        const [ours, theirs] = linkedTransports();
        agent.connect(theirs);
        return ours;
      },
    });
    onTestFinished(() => gateway.close());
    const server = await serveGateway(gateway);
    onTestFinished(() => server.close());
    const proxy = await cuttingProxy(server.port);
    const limits = { maxReconnectDelayMs: 20 };
    const client = await connectAgent(open(`${scheme}://127.0.0.1:${proxy.port}/acp`, { limits }), {
      info: { name: "client", version: "1" },
      versions: [clientOfV2],
    });
    onTestFinished(() => client.close());
    expect(client.protocolVersion).toBe(version);
    const session = await client.newSession({ cwd: "/work" });
    proxy.begin();
    for (const prompt of ["one", "two"]) {
      const turn = session.prompt(prompt);
      expect(await turn.text()).toBe(words.join(""));
      expect(await turn.result).toMatchObject({ stopReason: "max_tokens" });
    }
    expect(prompts).toEqual(["one", "two"]);
    expect(proxy.left).toBe(0);
  },
  60_000,
);
