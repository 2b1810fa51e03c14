import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, test } from "vitest";
import { bundle } from "../../test/bundle.js";
import { type GatewayEvent, memoryEngine } from "../index.js";
import { serveAgent } from "./readme.examples.js";
import { serveTeam } from "./team.examples.js";

test("on the team server of the README, each user finds only the user's own sessions", async () => {
  const records: object[] = [];
  const agent = createAgent({
    info: { name: "hello", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      await turn.message(`Hello, ${turn.text}`);
    },
  });
  const start = () => {
    const [ours, theirs] = linkedTransports();
    agent.connect(theirs);
    return ours;
  };
  const users = ["ann", "bob", "operations"].map((user) => [`token of ${user}`, { tenant: "acme", user }] as const);
  const server = await serveTeam(memoryEngine(), start, new Map(users), (record) => void records.push(record));
  const ann = await connectAgent(httpAgent(server.url, { token: "token of ann" }));
  const session = await ann.newSession({ cwd: "/work" });
  await session.prompt("a secret").result;
  const bob = await connectAgent(webSocketAgent(server.webSocketUrl, { token: "token of bob" }));
  await expect(bob.loadSession({ sessionId: session.sessionId, cwd: "/work" })).rejects.toMatchObject({ code: -32002 });
  const metrics = (user: string) =>
    fetch(new URL("/metrics", server.url), { headers: { authorization: `Bearer token of ${user}` } });
  expect(await (await metrics("operations")).text()).toContain('acp_gateway_events_total{type="turn_ended"} 1');
  expect((await metrics("bob")).status).toBe(404);
  expect(JSON.stringify(records)).not.toMatch(/secret|token of/);
  await Promise.all([ann.close(), bob.close()]);
  await server.drain({ graceMs: 0 });
});

test.skipIf(process.platform === "win32")(
  "the gateway of the README serves a stdio agent, and logs no content",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-readme-"));
    const events: GatewayEvent[] = [];
    try {
      const command = join(folder, "agent");
      writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${await bundle("echo-agent", folder)}"\n`, {
        mode: 0o755,
      });
      const serve = () => serveAgent(join(folder, "gateway.sqlite"), command, (event) => void events.push(event));
      const connect = (gateway: Awaited<ReturnType<typeof serve>>) => {
        const [ours, theirs] = linkedTransports();
        gateway.accept(theirs, { tenant: "acme", user: "ann" });
        return connectAgent(ours);
      };
      const gateway = await serve();
      const client = await connect(gateway);
      const session = await client.newSession({ cwd: folder });
      expect((await session.prompt("one two").result).stopReason).toBe("end_turn");
      await client.close();
      await gateway.close();
      expect(events.map(({ type }) => type)).toContain("turn_ended");
      expect(JSON.stringify(events)).not.toContain("one two");
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
);
