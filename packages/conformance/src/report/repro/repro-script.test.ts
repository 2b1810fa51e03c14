import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { testClient } from "../../node/client/test-client.js";
import { testAgent } from "../../node/test-agent.js";
import type { ConformanceReport } from "../report.js";
import { reproScript } from "./repro-script.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-repro-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An agent that responds to version 65535 with an error, and keeps running when its input ends. */
const agent = join(folder, "agent.mjs");
writeFileSync(
  agent,
  `let rest = "";
setInterval(() => {}, 1_000);
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

let files = 0;

/** Writes the script for the fault that breaks a rule into a folder that contains no part of the kit. */
function scriptOf(report: ConformanceReport, rule: string): string {
  const fault = report.faults.find(({ rules }) => rules.includes(rule));
  const script = fault && reproScript(report, fault);
  expect(script, rule).toBeDefined();
  const file = join(folder, `${rule}-${files++}.mjs`);
  writeFileSync(file, script ?? "");
  return file;
}

test.concurrent("conformance.repro-agent: the script for an agent's fault reproduces it without the kit", {
  timeout: 60_000,
}, async () => {
  const report = await testAgent({
    agent: { command: process.execPath, args: [agent] },
    prompts: {},
    only: ["initialize/unsupported-version"],
  });
  const file = scriptOf(report, "INIT-08");
  const script = readFileSync(file, "utf8");
  expect(script).toMatch(
    /^\/\/ fault-1: INIT-08, MUST: If the agent does not support the requested .*\n\/\/ spec: “Otherwise, the Agent MUST/,
  );
  expect(script).toMatch(/^\/\/ to do: Respond with the newest version/m);
  const { stdout } = await promisify(execFile)(process.execPath, [file, process.execPath, agent]);
  expect(stdout).toMatch(/client → .*"protocolVersion":65535.*\nagent {2}→ .*Unsupported version/);
});

test.concurrent("conformance.repro-agent: the script ends an agent that is a child of its command, and itself", {
  timeout: 60_000,
}, async () => {
  const wrapper = join(folder, "wrapper.mjs");
  writeFileSync(
    wrapper,
    `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
const child = spawn(process.execPath, [process.argv[2]], { stdio: "inherit" });
writeFileSync(process.argv[3], String(child.pid));
`,
  );
  const words = (pid: string): string[] => [wrapper, agent, join(folder, pid)];
  const report = await testAgent({
    agent: { command: process.execPath, args: words("pid of the test") },
    prompts: {},
    only: ["initialize/unsupported-version"],
    confirm: false,
  });
  await promisify(execFile)(process.execPath, [scriptOf(report, "INIT-08"), process.execPath, ...words("pid")]);
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  expect(pid).toBeGreaterThan(0);
  const isRunning = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  // The system removes a killed process only after its parent has ended, too.
  await vi.waitUntil(() => !isRunning(), { timeout: 20_000 });
});

test.concurrent("the script for a fault without decisive messages sends the whole dialogue", {
  timeout: 60_000,
}, async () => {
  const report = await testAgent({
    agent: { command: process.execPath, args: [agent] },
    prompts: {},
    only: ["transport/end-of-input"],
    exitGraceMs: 300,
    confirm: false,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    scriptOf(report, "TRANS-12"),
    process.execPath,
    agent,
  ]);
  expect(stdout).toMatch(/client · ends the agent's input\nthe agent is still running after 10 s/);
});

test.concurrent("conformance.repro-client: the script for a client's fault is an agent that reproduces it", {
  timeout: 60_000,
}, async () => {
  const client = fileURLToPath(new URL("../../../test/raw-client-process.mjs", import.meta.url));
  const command = [process.execPath, client, JSON.stringify({ wrong: "takes-newer-versions" }), "--"];
  const report = await testClient({
    client: { command, cwd: folder },
    only: ["opening/newer-version"],
    stepTimeoutMs: 5_000,
    confirm: false,
  });
  const [fault] = report.faults;
  expect(fault?.rules).toBeDefined();
  const file = scriptOf(report, fault?.rules[0] ?? "");
  const child: ChildProcess = spawn(command[0] ?? "", [...command.slice(1), process.execPath, file], {
    cwd: folder,
    stdio: "ignore",
  });
  await new Promise((resolve) => child.once("exit", resolve));
  expect(readFileSync(`${file}.log`, "utf8")).toMatch(/^client → .*"method":"initialize".*\nagent {2}→ /);
});
