import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { afterAll, expect, it, onTestFinished } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-registry-update-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("pnpm registry:update replaces the snapshot with a file, and prints the difference", () => {
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

it("pnpm registry:update renews the snapshot from a URL, and shows the difference; a failed request changes nothing", async () => {
  const agent = (id: string, version: string) => ({ id, name: id, version });
  const registry = { version: "1.0.0", agents: [agent("a", "1.1.0"), agent("b", "0.1.0")] };
  const server = createServer((request, response) => {
    if (request.url === "/registry.json") response.end(JSON.stringify(registry));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = join(folder, "snapshot-of-url.json");
  const before = JSON.stringify({ takenOn: "2026-01-01", source: "", registry: { agents: [agent("a", "1.0.0")] } });
  writeFileSync(out, before);
  const update = (path: string): Promise<{ readonly code: number; readonly text: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [join(root, "scripts/registry-update.mjs"), url + path, out],
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, text: stdout + stderr }),
      );
    });
  expect(await update("/missing.json")).toEqual({
    code: 1,
    text: `registry:update: ${url}/missing.json responded with status 404\n`,
  });
  expect(readFileSync(out, "utf8")).toBe(before);
  expect(await update("/registry.json")).toEqual({ code: 0, text: "+ b 0.1.0\n~ a 1.0.0 → 1.1.0\n" });
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ source: `Read from ${url}/registry.json.`, registry });
});
