import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replicaLink, sqliteEngine } from "@acp-kit/gateway/node";
import { expect, it } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import type { Log } from "../log.js";
import type { AgentPool } from "./agent-pool.js";
import type { ServeSettings } from "./serve-settings.js";
import { openSessions } from "./served-sessions.js";

it("closes the engine and the link to other replicas when the gateway can't be created", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-sessions-"));
  const path = join(folder, "sessions.db");
  const secret = "0123456789-abcdef";
  const first = await replicaLink({ address: "127.0.0.1:0", secret });
  const address = `127.0.0.1:${first.port}`;
  await first.close();
  const settings = {
    agent: { command: "agent", args: [] },
    engine: { is: "sqlite", path },
    cluster: { address, listen: address, secret },
    times: {
      get leaseMs(): number {
        throw new Error("no gateway");
      },
    },
  } as unknown as ServeSettings;
  const host = fakeHost();
  await expect(openSessions(settings, {} as AgentPool, host, {} as Log)).rejects.toThrow("no gateway");
  await sqliteEngine({ path }).close();
  await (await replicaLink({ address, secret })).close();
  rmSync(folder, { recursive: true });
});
