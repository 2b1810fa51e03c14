import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { rawAgent, sandbox, start, survivors } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

function install(name: string, line: string): void {
  writeFileSync(join(cwd, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(cwd, name), 0o755);
}

it.skipIf(process.platform === "win32")("agents --check starts installed agents, and reports their names", async () => {
  const [, node, script] = rawAgent();
  install("goose", `touch ${join(cwd, "started")}; exec ${node} ${script} noisy`);
  install("kimi", "echo I am broken >&2; exit 3");
  const env = { PATH: [cwd, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
  const listed = JSON.parse(
    (await (await start(["agents", "--json", "--installed", "--check"], home, { env })).ended).out,
  );
  expect(listed).toMatchObject([
    {
      id: "goose",
      path: join(cwd, "goose"),
      check: { ok: true, agent: { name: "noisy", version: "1.2.3" }, protocolVersion: 1 },
    },
    { id: "kimi", check: { ok: false, error: expect.stringContaining("I am broken") } },
  ]);
  const text = (await (await start(["agents", "--check"], home, { env })).ended).out;
  expect(text).toMatch(/✓ noisy 1\.2\.3, protocol 1, \d+ ms/);
});

it.skipIf(process.platform === "win32")(
  "agents doctor and --check report a process that an agent leaves running, and end it",
  async () => {
    const [, node, script] = rawAgent();
    const note = join(cwd, "left.json");
    install("goose", `exec ${node} ${script} leaving ${note}`);
    const env = { PATH: [cwd, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
    for (const words of [
      ["agents", "doctor", "goose"],
      ["agents", "--check"],
    ]) {
      const { out } = await (await start(words, home, { env })).ended;
      expect(out).toMatch(/✓ leaving 1\.2\.3, protocol 1, \d+ ms; these programs still ran and were ended: sleep/);
      expect(survivors(note)).toEqual([]);
    }
  },
);
