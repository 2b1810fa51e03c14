import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { afterEach, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-registry-update-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("pnpm registry:update renews the snapshot from a file, and shows the difference", () => {
  const [source, out] = [join(folder, "registry.json"), join(folder, "snapshot.json")];
  const agent = (id: string, version: string, name = id) => ({ id, name, version });
  const before = {
    version: "1.0.0",
    agents: [agent("a", "1.0.0"), agent("b", "1.0.0"), agent("c", "1.0.0"), agent("d", "1.0.0")],
  };
  const after = {
    version: "1.0.0",
    agents: [agent("a", "1.0.0"), agent("b", "1.1.0"), agent("d", "1.0.0", "D"), agent("e", "0.1.0")],
    more: 1,
  };
  writeFileSync(out, JSON.stringify({ takenOn: "2026-01-01", source: "", registry: before }));
  const update = (): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [join(root, "scripts/registry-update.mjs"), source, out], { encoding: "utf8" });
  writeFileSync(source, "{}");
  expect(update()).toMatchObject({ status: 1, stderr: expect.stringContaining("is not a registry") });
  writeFileSync(source, JSON.stringify(after));
  expect(update()).toMatchObject({ status: 0, stdout: "+ e 0.1.0\n- c 1.0.0\n~ b 1.0.0 → 1.1.0\n~ d 1.0.0 (name)\n" });
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({
    takenOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    registry: after,
  });
  expect(update()).toMatchObject({ status: 0, stdout: "Nothing has changed.\n" });
});
