// Writes a file of `sqliteEngine` in the newest format to `fixtures`, for tests of later versions. Run it once, before
// the format is released: `tsx packages/gateway/test/make-fixture.ts`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { sqliteEngine } from "../src/node/index.js";
import { journalFormat } from "../src/node/journal-format.js";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const fixture = join(fixtures, `format-${journalFormat.migrations.length}.sqlite`);
const folder = mkdtempSync(join(tmpdir(), "acp-kit-fixture-"));
const path = join(folder, "gateway.sqlite");
const engine = sqliteEngine({ path, now: () => 1_000 });
const scope = { tenant: "t", user: "ann" };
const key = { scope, sessionId: "saved" };
await engine.create(scope, {
  sessionId: "saved",
  cwd: "/work",
  additionalDirectories: ["/more"],
  state: '{"turn":null}',
});
const member = await engine.join({ id: "old", ttlMs: 1, onMessage: () => {} });
const held = await member.acquire(key);
if (held.is !== "held") throw new Error(held.is);
const textOf = (type: string): string => JSON.stringify({ type });
await member.append(held.lease, 1, ["first", "second", "third"].map(textOf), { title: "A title" });
await member.trim(held.lease, 2);
await member.append(held.lease, 4, [textOf("recent")]);
// Copied before the engine is closed, which would move the recent appends to the journal.
mkdirSync(fixtures, { recursive: true });
rmSync(fixture, { force: true });
const file = new Database(path);
file.prepare("VACUUM INTO ?").run(fixture);
file.close();
await engine.close();
rmSync(folder, { recursive: true });
