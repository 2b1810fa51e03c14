import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { expect, it, onTestFinished } from "vitest";
import { blocksOf } from "./blocks.js";

// A newcomer pastes the first client into a file without a build. Node 20 is the oldest version that the packages
// support.

it.each(["README.md", "packages/client/README.md", "docs/guides/getting-started.md"])(
  "the first client of %s is plain JavaScript that Node 20 can read",
  (document) => {
    const blocks = blocksOf(readFileSync(join(root, document), "utf8"));
    const client = blocks.find(({ text }) => text.includes("connectAgent(spawnAgent"))?.text ?? "";
    expect(client).toContain("agent.newSession");
    expect(client).not.toContain("await using"); // newer versions of Node can read it
    const folder = mkdtempSync(join(tmpdir(), "acp-kit-pasted-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "client.mjs"), client);
    execFileSync(process.execPath, ["--check", join(folder, "client.mjs")]);
  },
);
