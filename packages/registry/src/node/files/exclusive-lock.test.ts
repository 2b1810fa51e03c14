import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { withLock } from "./exclusive-lock.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(process.platform === "win32")("says in words why the folder of a lock can't be created", async () => {
  writeFileSync(join(folder, "file"), "");
  const locked = withLock(join(folder, "file", "locks", "a"), { timeoutMs: 0 }, async () => {});
  await expect(locked).rejects.toThrow(
    `Can't create the folder ${join(folder, "file", "locks")}: a part of the path is not a folder. Choose a folder that you may write.`,
  );
});

it("names the lock file that can't be used, and what to do", async () => {
  const damaged = join(folder, "damaged");
  writeFileSync(damaged, "this is no SQLite file".repeat(100));
  await expect(withLock(damaged, { timeoutMs: 0 }, async () => {})).rejects.toThrow(
    `Can't use the lock file ${damaged}: file is not a database. Remove it, or make its folder writable, and try again.`,
  );
  const taken = join(folder, "taken");
  mkdirSync(taken);
  await expect(withLock(taken, { timeoutMs: 0 }, async () => {})).rejects.toThrow(`Can't use the lock file ${taken}: `);
});
