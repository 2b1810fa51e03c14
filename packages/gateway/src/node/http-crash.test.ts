import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../test/bundle.js";
import { CuttingProxy } from "../../test/cutting-proxy.js";
import { RawClient, textsOf } from "../../test/raw-client.js";

let folder = "";
let program = "";
const children = new Set<ChildProcess>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-http-"));
  program = await bundle("crashing-http-server", folder);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function serve(path: string): Promise<{ port: number; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => resolve(Number(line)));
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    children.delete(child);
  };
  return { port, kill };
}

const profiles = [
  { profile: "streamable HTTP", agent: httpAgent, scheme: "http" },
  { profile: "WebSocket", agent: webSocketAgent, scheme: "ws" },
] as const;

describe.each(profiles)("a server that is killed and started again, over $profile", ({ agent, scheme }) => {
  test("gateway.restart: the application's connection continues; every word arrives once, and no prompt runs twice", {
    timeout: 120_000,
  }, async () => {
    const path = join(folder, `${scheme}.sqlite`);
    let server = await serve(path);
    const proxy = await CuttingProxy.start(server.port);
    const limits = { maxReconnectDelayMs: 50, reconnectTimeoutMs: 30_000 };
    const client = new RawClient(await agent(`${scheme}://127.0.0.1:${proxy.port}/acp`, { limits }).open());
    await client.initialize();
    const sessionId = await client.newSession();
    let interrupted = 0;
    for (let run = 0; run < 8; run += 1) {
      const response = client.prompt(sessionId, `turn${run}`).catch((error: unknown) => error);
      const killAt = run * 25; // sometimes before the first word, sometimes after the last
      const words = () => client.text.split(`turn${run}#`).length - 1;
      await Promise.race([client.until(() => words() >= killAt), response]);
      proxy.down();
      await server.kill();
      server = await serve(path);
      proxy.up(server.port);
      const outcome = await response;
      const reason = (outcome as { readonly data?: { readonly reason?: string } }).data?.reason;
      if (reason !== undefined) interrupted += 1;
      expect(reason ?? (outcome as { readonly stopReason?: string }).stopReason).toMatch(
        /^(turn_interrupted|end_turn)$/,
      );
    }
    expect(interrupted).toBeGreaterThanOrEqual(4); // every second turn ends only by interruption
    const last = await client.prompt(sessionId, "turn8");
    expect(last).toMatchObject({ stopReason: "end_turn" });

    const received = client.text;
    const words = received.trim().split(" ");
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => word.startsWith("turn8#"))).toHaveLength(200);
    for (let run = 0; run < 8; run += 1) {
      const mine = words.filter((word) => word.startsWith(`turn${run}#`));
      expect(mine).toEqual(mine.map((_, i) => `turn${run}#${i}`));
    }
    const reader = new RawClient(await agent(`${scheme}://127.0.0.1:${server.port}/acp`).open());
    await reader.initialize();
    await reader.load(sessionId);
    expect(textsOf(reader.updates, "agent_message_chunk")).toBe(received);
    expect(reader.log.filter((line) => line.startsWith("user"))).toEqual(
      Array.from({ length: 9 }, (_, i) => `user: turn${i}`),
    );
    await reader.connection.close();
    await client.connection.close();
    await proxy.close();
    await server.kill();
  });
});
