import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promptPresets } from "@acp-kit/conformance";
import { testAgent, testClient } from "@acp-kit/conformance/node";
import { program } from "@acp-kit/promises-tests/program";
import { afterAll, beforeAll, describe, test } from "vitest";
import { agentMutants } from "./agent/agent-mutants.js";
import { clientMutants } from "./client/client-mutants.js";
import { fateOf } from "./score.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-mutants-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const proxy = new URL("./process/proxy.ts", import.meta.url);
const none = "none";

/** In milliseconds. A check waits for what a wrong peer does not do, and repeats a scenario that failed. */
const timeout = 240_000;

describe.concurrent("the everything agent as a process, behind a proxy", () => {
  test.for([none, "RPC-05", "PERM-07", "MCP-02", "CANCEL-08"])("%s", { timeout }, async (rule, { expect }) => {
    const only = agentMutants.find((mutant) => mutant.rule === rule)?.shows ?? [
      "prompt/text",
      "permission/",
      "session/mcp-server",
    ];
    const agent = await program(new URL("./process/everything.ts", import.meta.url));
    const args = [
      await program(proxy),
      "agent",
      rule,
      process.execPath,
      agent,
      "--pace",
      "0",
      "--store",
      join(cwd, rule),
    ];
    const report = await testAgent({
      protocol: 1,
      agent: { command: process.execPath, args, cwd },
      prompts: promptPresets.everything,
      only,
    });
    if (rule !== none) return expect(fateOf(rule, report)).toBe("named");
    expect(report.faults).toEqual([]);
    expect(report.verdict).toBe("conformant");
  });
});

describe.concurrent("the client of the showcase as a process, behind a proxy", () => {
  test.for([none, "TRANS-03", "EXT-05"])("%s", { timeout }, async (rule, { expect }) => {
    const only = clientMutants.find((mutant) => mutant.rule === rule)?.shows ?? [
      "opening/stdio",
      "opening/null",
      "updates/every",
      "payload/",
    ];
    const showcase = await program(new URL("../../../examples/showcase/src/main.ts", import.meta.url));
    const command = [
      process.execPath,
      showcase,
      "--agent",
      `${process.execPath} ${await program(proxy)} client ${rule}`,
    ];
    const report = await testClient({
      protocol: 1,
      client: { command, cwd, agentInEnvironment: true },
      only,
      stepTimeoutMs: 10_000,
    });
    if (rule !== none) return expect(fateOf(rule, report)).toBe("named");
    expect(report.faults).toEqual([]);
    expect(report.verdict).toBe("conformant");
  });
});
