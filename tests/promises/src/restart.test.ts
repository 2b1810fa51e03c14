import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { superviseAgent } from "@acp-kit/stdio/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { program } from "./harness/program.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-kit-restart-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("settle.restarted-agent: a session continues after the process of its agent ends, and no prompt is sent twice", async () => {
  const log = join(folder, "calls");
  const agent = await program(new URL("./harness/mortal-agent.ts", import.meta.url));
  const supervisor = superviseAgent({ command: process.execPath, args: [agent, log] });
  await using client = await connectAgent(supervisor);
  const session = await client.newSession({ cwd: folder });
  const lives: string[] = [];
  session.onUpdate((update) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      lives.push(update.content.text);
  });

  const dying = session.prompt("die");
  const waiting = session.prompt("hello");
  await expect(dying.result).rejects.toMatchObject({
    name: "ConnectionError",
    cause: { name: "ProcessError", code: "killed", signal: "SIGKILL" },
  });
  // The prompt had not been sent, so it goes to the restarted agent.
  expect(await waiting.result).toEqual({ stopReason: "end_turn" });

  const calls = readFileSync(log, "utf8").trim().split("\n");
  const [first, second] = [...new Set(calls.map((call) => call.split(" ")[0]))];
  expect(calls).toEqual([`${first} new`, `${first} prompt die`, `${second} resume s-1`, `${second} prompt hello`]);
  expect(lives.at(-1)).toBe(second);
  expect(supervisor.starts).toBe(2);
});
