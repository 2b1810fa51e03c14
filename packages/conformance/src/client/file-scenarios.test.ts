import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchRawClient } from "../../test/launch-raw-client.js";
import type { LegalClient } from "../../test/legal-clients.js";
import type { RawClientOptions } from "../../test/raw-client.mjs";
import { nodeHost } from "../node/client/node-host.js";
import { playClient } from "./play-client.js";

let cwd = "";
let otherCwd = "";
beforeAll(() => {
  [cwd = "", otherCwd = ""] = ["one", "two"].map((name) => mkdtempSync(join(tmpdir(), `acp-kit-files-${name}-`)));
});
afterAll(() => {
  for (const folder of [cwd, otherCwd]) rmSync(folder, { recursive: true, force: true });
});

/** Returns the scenarios about files with their verdicts, except for those that pass. */
async function notPassed(options: RawClientOptions, habit?: LegalClient): Promise<readonly (readonly string[])[]> {
  const { outcomes } = await playClient({
    launch: launchRawClient(options, habit),
    host: nodeHost,
    driving: { stepTimeoutMs: 10_000, quietMs: 60 },
    wanted: ({ id }) => id.startsWith("files/"),
    jobs: 4,
    confirm: false, // in memory, two runs do not differ
  });
  return outcomes.flatMap(({ check, verdict }) => (verdict.status === "passed" ? [] : [[check.id, verdict.status]]));
}

test("a client with another session in another folder serves the files of the session of its prompt", async () => {
  // The raw client allows only paths in `cwd`, the folder of its first session.
  expect(await notPassed({ cwd, otherCwd })).toEqual([]);
});

test("a client whose session contains the folder for temporary files is not accused of reading and writing there", async () => {
  expect(await notPassed({ cwd: tmpdir() })).toEqual([
    ["files/read-outside", "skipped"],
    ["files/read-through-link", "skipped"],
    ["files/write-outside", "skipped"],
  ]);
});

test("a client that unifies the line ends of a file, as editors do, passes", async () => {
  const write = (message: Record<string, unknown>): string =>
    `${JSON.stringify(message).replaceAll("\\r\\n", "\\n")}\n`;
  expect(await notPassed({ cwd }, { habit: "unifies the line ends", write })).toEqual([]);
});
