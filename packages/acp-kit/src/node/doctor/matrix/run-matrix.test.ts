import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { fakeHost } from "../../../../test/fake-host.js";
import { rawAgent, sandbox } from "../../../../test/spawned.js";
import { probeVersion2 } from "./probe-version-2.js";
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

it("measures version 2 of an agent that chooses it, and no other", async () => {
  const measured = (args: readonly string[]) => {
    const spawn = { command: process.execPath, args, env: {}, inheritEnv: false, cwd } as const;
    return probeVersion2({ spawn, cwd, home, authMethod: undefined, [Symbol.dispose]() {} });
  };
  const notFound = { observed: "error -32601" };
  const agent = fileURLToPath(new URL("../../../../test/fixtures/v2-agent.mjs", import.meta.url));
  expect(await measured([agent])).toEqual({
    offers: [],
    probed: ["session/list", "session/resume", "session/close", "session/delete"],
    offeredButBroken: [
      { feature: "session/list", ...notFound },
      { feature: "session/resume", ...notFound },
    ],
    outsideSchema: [],
    onCancel: "end_turn",
  });
  const [, , ...steady] = rawAgent("steady");
  expect(await measured(steady)).toBeNull();
});
