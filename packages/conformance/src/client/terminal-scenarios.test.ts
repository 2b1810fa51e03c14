import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchRawClient } from "../../test/launch-raw-client.js";
import { nodeHost } from "../node/client/node-host.js";
import { playClient } from "./play-client.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-terminals-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test("a client that responds to terminal/create only after the end of the command breaks TERM-04, and not the rule that requests get responses", async () => {
  const { outcomes } = await playClient({
    launch: launchRawClient({ cwd, wrong: "creates-after-the-end" }),
    host: nodeHost,
    driving: { stepMs: 2_500, quietMs: 60 },
    wanted: ({ id }) => id === "terminals/life" || id === "terminals/create-at-once",
    confirm: false, // in memory, two runs do not differ
  });
  expect(outcomes.map(({ check, verdict }) => [check.id, verdict])).toMatchObject([
    ["terminals/life", { status: "passed" }],
    ["terminals/create-at-once", { status: "failed", findings: [{ requirement: "TERM-04" }] }],
  ]);
});
