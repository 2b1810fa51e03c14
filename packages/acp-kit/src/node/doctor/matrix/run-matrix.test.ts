import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fakeHost } from "../../../../test/fake-host.js";
import { rawAgent, sandbox } from "../../../../test/spawned.js";
import { RawExchange } from "./raw-exchange.js";
import { runMatrix } from "./run-matrix.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

it("refuses a file that can't be written before it looks for the agents", async () => {
  const host = fakeHost({ env: { HOME: home, ACP_REGISTRY: join(cwd, "none.json") } });
  const { signal } = new AbortController();
  const file = join(cwd, "missing", "rows.json");
  const options = { out: undefined, page: undefined, isQuick: true, signal };
  await expect(runMatrix(["small"], host, { ...options, out: file })).rejects.toThrow(`Can't write ${file}, because `);
  await expect(runMatrix(["small"], host, { ...options, page: cwd })).rejects.toThrow(`Can't write ${cwd}, because `);
  const fresh = join(cwd, "rows.json");
  await expect(runMatrix(["small"], host, { ...options, out: fresh })).rejects.toThrow("none.json");
  expect(existsSync(fresh)).toBe(false);
});

it("a request to an agent that has ended gets no response, without waiting for the time limit", async () => {
  writeFileSync(join(cwd, "ends.mjs"), "");
  const [, command = ""] = rawAgent("");
  const spawn = { command, args: [join(cwd, "ends.mjs")], env: {}, inheritEnv: false, cwd } as const;
  await using raw = new RawExchange({ spawn, cwd, home, authMethod: undefined, [Symbol.dispose]() {} });
  await raw.process.exited;
  expect(await raw.request("initialize", {})).toEqual({ is: "none" });
});
