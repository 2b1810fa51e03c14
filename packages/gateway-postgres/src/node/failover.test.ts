import { postgresFolder, startPostgres } from "@acp-kit/servers";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { postgresEngine } from "./index.js";

const ann = { tenant: "t", user: "ann" };
const sessions = Array.from({ length: 10 }, (_, i) => `s${i}`);

describe.skipIf(postgresFolder() === undefined)("a failover (needs PostgreSQL)", () => {
  test("gateway.synchronous-standby: a failover to a synchronous standby loses no acknowledged entry", async () => {
    const primary = await startPostgres();
    const standby = await primary.standby({ name: "copy" });
    const admin = new pg.Client(primary.url);
    await admin.connect();
    await admin.query("ALTER SYSTEM SET synchronous_standby_names = 'copy'");
    await admin.query("SELECT pg_reload_conf()");
    const state = "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'copy'";
    await expect
      .poll(async () => (await admin.query(state)).rows, { timeout: 20_000 })
      .toEqual([{ sync_state: "sync" }]);
    await admin.end();

    const engine = await postgresEngine({ url: primary.url, timeoutMs: 2_000 });
    const member = await engine.join({ id: "a", ttlMs: 1_000, onMessage: () => {} });
    const acknowledged = new Map<string, number>();
    const writing = sessions.map(async (sessionId) => {
      await engine.create(ann, { sessionId, cwd: "/", additionalDirectories: [], state: "{}" });
      const held = await member.acquire({ scope: ann, sessionId });
      if (held.is !== "held") throw new Error(held.is);
      for (let first = 1; ; first++) {
        const appended = await member.append(held.lease, first, [`${first}`]).catch(() => undefined);
        if (appended?.is !== "appended") return; // the primary is gone
        acknowledged.set(sessionId, first);
      }
    });
    await expect
      .poll(() => Math.min(...sessions.map((id) => acknowledged.get(id) ?? 0)), { timeout: 20_000 })
      .toBeGreaterThan(20);
    await primary.kill();
    await Promise.all(writing);
    await engine.close();

    await standby.promote();
    const after = await postgresEngine({ url: standby.url });
    for (const sessionId of sessions) {
      const page = await after.read({ scope: ann, sessionId }, undefined, {
        maxEntries: 100_000,
        maxChars: 10_000_000,
      });
      if (page.is !== "page") throw new Error(page.is);
      expect(page.entries.map(({ text }) => text)).toEqual(page.entries.map((_, i) => `${i + 1}`));
      expect(page.last.seq).toBeGreaterThanOrEqual(acknowledged.get(sessionId) ?? 0);
    }
    await after.close();
    await Promise.all([primary.stop(), standby.stop()]);
  });
});
