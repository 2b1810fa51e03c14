import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { relayAgent } from "@acp-kit/http";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { spawnAgent } from "@acp-kit/stdio/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { program } from "./harness/program.js";
import { profiles } from "./harness/remote.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-kit-restart-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(profiles)(
  "settle.restarted-agent: a session continues after the connection to a remote agent ends: %s",
  async (profile) => {
    const log = join(folder, profile);
    const path = await program(new URL("./harness/mortal-agent.ts", import.meta.url));
    const agent = relayAgent(() => spawnAgent({ command: process.execPath, args: [path, log] }));
    await using server = await serveHttp(agent);
    const source = profile === "WebSocket" ? webSocketAgent(server.webSocketUrl) : httpAgent(server.url);
    await using client = await connectAgent(source);
    const session = await client.newSession({ cwd: folder });
    const lives: string[] = [];
    session.onUpdate((update) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        lives.push(update.content.text);
    });

    const dying = session.prompt("die");
    const waiting = session.prompt("hello");
    await expect(dying.result).rejects.toMatchObject({ name: "ConnectionError" });
    // The prompt had not been sent, so the next connection sends it.
    expect(await waiting.result).toEqual({ stopReason: "end_turn" });

    const calls = readFileSync(log, "utf8").trim().split("\n");
    const [first, second] = [...new Set(calls.map((call) => call.split(" ")[0]))];
    expect(calls).toEqual([`${first} new`, `${first} prompt die`, `${second} resume s-1`, `${second} prompt hello`]);
    expect(lives.at(-1)).toBe(second);
  },
);
