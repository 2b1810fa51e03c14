import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeTransport } from "@acp-kit/stdio/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../test/bundle.js";
import { RawClient, textsOf } from "../../test/raw-client.js";

let folder = "";
let program = "";
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-crash-"));
  program = await bundle("crashing-server", folder);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function serve(path: string) {
  const child = spawn(process.execPath, [program, path], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const client = new RawClient(nodeTransport(child.stdout, child.stdin));
  await client.initialize({ _meta: { "acp-kit/cursors": true } });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { client, kill };
}

describe("a server that is killed during a turn", () => {
  test("gateway.killed-server: keeps every entry that a client received, once and in order, and runs no prompt twice", {
    timeout: 120_000,
  }, async () => {
    const path = join(folder, "gateway.sqlite");
    let cursor = "j0.0";
    let sessionId = "";
    let received = "";
    for (let run = 0; run < 12; run++) {
      const { client, kill } = await serve(path);
      if (sessionId === "") sessionId = await client.newSession();
      else await client.resume(sessionId, { "acp-kit/cursor": cursor });
      const response = client.prompt(sessionId, `turn${run}`, { "acp-kit/key": `${run}` });
      response.catch(() => {});
      const killAt = run * 17; // sometimes before the first word, sometimes after the last
      await Promise.race([
        client.until(() => textsOf(client.updates, "agent_message_chunk").split(`turn${run}#`).length > killAt),
        response,
      ]);
      await kill();
      received += client.text;
      const last = client.updates.at(-1)?.params._meta as Record<string, string> | undefined;
      cursor = last?.["acp-kit/cursor"] ?? cursor;
    }
    const { client, kill } = await serve(path);
    await client.resume(sessionId, { "acp-kit/cursor": cursor });
    const again = await client.prompt(sessionId, "turn3", { "acp-kit/key": "3" }).catch((error: unknown) => error);
    await client.request("_x", { sessionId }).catch(() => {}); // responds after all earlier messages
    received += client.text;
    const isWhole = received.split("turn3#").length > 200; // the turn may have ended before the kill
    if (!isWhole) expect(again).toMatchObject({ data: { reason: "turn_interrupted" } });
    const before = client.updates.length;
    await client.load(sessionId);
    expect(textsOf(client.updates.slice(before), "agent_message_chunk")).toBe(received);
    const words = received.trim().split(" ");
    expect(new Set(words).size).toBe(words.length);
    for (let run = 0; run < 12; run++) {
      const mine = words.filter((word) => word.startsWith(`turn${run}#`));
      expect(mine).toEqual(mine.map((_, i) => `turn${run}#${i}`));
      expect(mine.length).toBeGreaterThanOrEqual(Math.min(run * 17, 200));
    }
    await kill();
  });
});
