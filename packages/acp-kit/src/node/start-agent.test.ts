import { expect, test } from "vitest";
import { fakeHost } from "../../test/fake-host.js";
import { createLog } from "./log.js";
import { startAgent } from "./start-agent.js";

test("an agent that was to be killed before it started is killed immediately", async () => {
  const host = fakeHost();
  const silent = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1_000)"] };
  const starting = startAgent(silent, host, {
    cwd: process.cwd(),
    log: createLog(host, "error"),
    kill: AbortSignal.abort(),
  });
  await expect(starting).rejects.toMatchObject({ cause: { signal: "SIGKILL" } });
});
