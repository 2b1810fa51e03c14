import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchRawClient } from "../../test/launch-raw-client.js";
import { nodeHost } from "../node/client/node-host.js";
import { type ClientPlay, playClient } from "./play-client.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-terminals-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Runs two scenarios against a client that responds to `terminal/create` only after the end of the command. */
async function play(stepTimeoutMs: number): Promise<ClientPlay["outcomes"]> {
  const { outcomes } = await playClient({
    launch: launchRawClient({ cwd, wrong: "creates-after-the-end" }),
    host: nodeHost,
    driving: { stepTimeoutMs, quietMs: 60 },
    wanted: ({ id }) => id === "terminals/life" || id === "terminals/create-at-once",
    confirm: false, // in memory, two runs do not differ
  });
  return outcomes;
}

test("a client that responds to terminal/create only after the end of the command breaks TERM-04, and not the rule that requests get responses", async () => {
  // On a busy machine, a command may take so long that the short limit decides nothing.
  const quick = await play(2_500);
  const isDecided = quick.every(({ verdict }) => verdict.status !== "inconclusive");
  const outcomes = isDecided ? quick : await play(12_500);
  expect(outcomes.map(({ check, verdict }) => [check.id, verdict])).toMatchObject([
    ["terminals/life", { status: "passed" }],
    ["terminals/create-at-once", { status: "failed", findings: [{ requirement: "TERM-04" }] }],
  ]);
});
