import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, test } from "vitest";
import { bundle } from "../../test/bundle.js";
import type { GatewayEvent } from "../index.js";
import { loadElsewhere, serveAgent } from "./readme.examples.js";

test("the clients of the README see the same session", async () => {
  expect(await loadElsewhere()).toEqual(["user_message_chunk", "agent_message_chunk"]);
});

test.skipIf(process.platform === "win32")(
  "the gateway of the README serves an agent's process, and logs no content",
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
