import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, test, vi } from "vitest";
import { bundle } from "../../test/bundle.js";
import { loadElsewhere, serveAgent } from "./readme.examples.js";

test("the clients of the README see the same session", async () => {
  expect(await loadElsewhere()).toEqual(["user_message_chunk", "agent_message_chunk"]);
});

test("the gateway of the README serves an agent's process, and logs no content", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-readme-"));
  const events: string[] = [];
  const log = vi.spyOn(console, "error").mockImplementation((line: string) => void events.push(line));
  try {
    const program = await bundle("echo-agent", folder);
    const serve = () => serveAgent(join(folder, "gateway.sqlite"), process.execPath, [program]);
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
    expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toContain("turn_ended");
    expect(events.join()).not.toContain("one two");
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
