import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { testAgent } from "../node/test-agent.js";
import { reproScript } from "./repro-script.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-repro-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An agent that answers version 65535 with an error. */
const agent = join(folder, "agent.mjs");
writeFileSync(
  agent,
  `let rest = "";
process.stdin.on("data", (chunk) => {
  rest += chunk;
  for (let end = rest.indexOf("\\n"); end !== -1; end = rest.indexOf("\\n")) {
    const { id, method, params } = JSON.parse(rest.slice(0, end));
    rest = rest.slice(end + 1);
    if (id === undefined) continue;
    const outcome = method !== "initialize"
      ? { error: { code: -32601, message: "Method not found" } }
      : params.protocolVersion === 1
        ? { result: { protocolVersion: 1 } }
        : { error: { code: -32600, message: "Unsupported version" } };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  }
});
`,
);

test("the script of a fault shows it again, without the kit", { timeout: 60_000 }, async () => {
  const report = await testAgent({
    agent: { command: process.execPath, args: [agent] },
    prompts: {},
    only: ["initialize/unsupported-version"],
  });
  const [fault] = report.faults;
  expect(fault).toMatchObject({ rules: ["INIT-08"] });
  const script = fault && reproScript(report, fault);
  expect(script).toMatch(/^\/\/ fault-1: INIT-08 \(MUST\)\n/);
  const file = join(folder, "fault-1.mjs");
  writeFileSync(file, script ?? "");
  const { stdout } = await promisify(execFile)(process.execPath, [file, process.execPath, agent]);
  expect(stdout).toMatch(/client → .*"protocolVersion":65535.*\nagent {2}→ .*Unsupported version/);
});
