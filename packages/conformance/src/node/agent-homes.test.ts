import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { AgentHomes } from "./agent-homes.js";

const template = mkdtempSync(join(tmpdir(), "acp-kit-template-"));
writeFileSync(join(template, "login.json"), "{}");
afterAll(() => rmSync(template, { recursive: true, force: true }));

test("conformance.own-home: each worker has its own home and temporary folder, a second run has fresh ones, and all are removed at the end", async () => {
  const homes = new AgentHomes({ template });
  const first = await homes.for({ job: 0, number: 1 });
  const same = await homes.for({ job: 0, number: 1 });
  const other = await homes.for({ job: 1, number: 1 });
  const again = await homes.for({ job: 0, number: 2 });
  expect(same).toBe(first);
  const all = [first, other, again];
  expect(new Set(all.flatMap(({ home, temporary }) => [home, temporary])).size).toBe(6);
  for (const { home, temporary, env } of all) {
    expect(readFileSync(join(home, "login.json"), "utf8")).toBe("{}");
    expect(env).toMatchObject({ HOME: home, USERPROFILE: home, TMPDIR: temporary });
  }
  await homes.close();
  expect(all.filter(({ home }) => existsSync(home))).toEqual([]);
});
