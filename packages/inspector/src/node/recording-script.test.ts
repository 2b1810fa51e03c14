import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { spawnAgent } from "@acp-kit/stdio/node";
import { type Recording, readRecording } from "@acp-kit/testing/recording";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordingScript } from "../../page/model/script/recording-script.js";
import { connect } from "../../test/connect-page.js";
import { inspectAgent } from "./index.js";

const here = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const isBuilt = existsSync(here("../testing/dist/node/index.js")) && existsSync(everythingMain());
if (!isBuilt) console.log("Not run: the saved test of a recording, because the packages are not built.");

function everythingMain(): string {
  return here("../everything-agent/dist/node/main.js");
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-script-"));
  symlinkSync(here("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Records a conversation with the everything agent in the inspector: a form, a permission, a mode, a cancelled turn.
 */
async function recorded(): Promise<Recording> {
  expect(everythingAgentCommand().args[0]).toContain("everything-agent");
  const agent = join(folder, "agent.mjs");
  writeFileSync(agent, `process.argv.push("--pace", "0");\nawait import(${JSON.stringify(everythingMain())});\n`);
  const command = [process.execPath, agent];
  await using inspector = await inspectAgent({
    open: ({ onStderr }) => spawnAgent({ command: process.execPath, args: [agent], onStderr }),
    command,
    cwd: folder,
  });
  const page = await connect(inspector);
  await page.entry('"agentCapabilities"');
  page.send({ do: "request", method: "session/new", params: { cwd: folder, mcpServers: [] } });
  const { sessionId } = JSON.parse(await page.entry('"id":2,"result"')).message.result;
  const prompt = (text: string): void =>
    page.send({ do: "request", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } });
  const respond = async (method: string, result: object): Promise<void> => {
    const { id } = JSON.parse(await page.entry(`"method":"${method}"`)).message;
    page.send({ do: "send", message: { jsonrpc: "2.0", id, result } });
  };
  prompt("/form");
  await respond("elicitation/create", { action: "accept", content: { name: "Grace", age: 85 } });
  await page.entry('"id":3,"result"');
  page.send({ do: "request", method: "session/set_mode", params: { sessionId, modeId: "code" } });
  await page.entry('"id":4,"result"');
  page.send({ do: "request", method: "session/set_mode", params: { sessionId, modeId: "ask" } });
  await page.entry('"id":5,"result"');
  prompt("/permission");
  await respond("session/request_permission", { outcome: { outcome: "selected", optionId: "no" } });
  await page.entry('"id":6,"result"');
  prompt("/read none.txt"); // the response of the client is an error
  await page.entry('"id":7,"result"');
  prompt("/slow 60");
  await page.entry("agent_message_chunk");
  page.send({ do: "send", message: { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } } });
  await page.entry('"id":8,"result"');
  return readRecording(inspector.recording());
}

/** Records a conversation of version 2: a permission, and a cancelled turn. */
async function recordedVersion2(): Promise<Recording> {
  const command = [process.execPath, everythingMain(), "--pace", "0"];
  await using inspector = await inspectAgent({
    open: ({ onStderr }) => spawnAgent({ command: process.execPath, args: command.slice(1), onStderr }),
    command,
    cwd: folder,
  });
  const page = await connect(inspector);
  await page.entry('"agentCapabilities"');
  const initialize = { protocolVersion: 2, info: { name: "test", version: "1" }, capabilities: {} };
  page.send({ do: "restart", initialize });
  await page.entry('"protocolVersion":2,"info":{"name":"everything');
  page.send({ do: "request", method: "session/new", params: { cwd: folder } });
  const { result } = JSON.parse(await page.entry('"id":3,"result"')).message;
  const { sessionId } = result;
  const prompt = (text: string): void =>
    page.send({ do: "request", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } });
  prompt("/permission");
  const { id } = JSON.parse(await page.entry('"method":"session/request_permission"')).message;
  const outcome = { outcome: "selected", optionId: "no" };
  page.send({ do: "send", message: { jsonrpc: "2.0", id, result: { outcome } } });
  await page.entry('"stopReason":"end_turn"');
  prompt("/slow 60");
  await page.entry("1 of 60");
  page.send({ do: "send", message: { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } } });
  await page.entry('"stopReason":"cancelled"');
  return readRecording(inspector.recording());
}

/** Runs the saved test with Vitest. */
function run(name: string): Promise<{ readonly passed: boolean; readonly output: string }> {
  const vitest = here("node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", name, "--root", folder, "--no-color"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH } }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: stdout + stderr }),
    );
  });
}

describe.skipIf(!isBuilt)("the test that is saved from a recording", () => {
  it("passes with the recorded agent, and fails with an agent that behaves differently", async () => {
    const script = recordingScript(await recorded());
    writeFileSync(join(folder, "recorded.test.ts"), script);
    const first = await run("recorded.test.ts");
    expect(first.output).toContain("1 passed");
    expect(first.passed).toBe(true);
    const main = JSON.stringify(everythingMain());
    writeFileSync(
      join(folder, "agent.mjs"),
      // The same agent, but one word of its output is different.
      `const write = process.stdout.write.bind(process.stdout);
      process.stdout.write = (data, ...rest) => write(Buffer.from(data).toString().replaceAll("so it is not allowed", "so it is denied"), ...rest);
      process.argv.push("--pace", "0");
      await import(${main});\n`,
    );
    const second = await run("recorded.test.ts");
    expect(second.output).toContain("so it is denied");
    expect(second.passed).toBe(false);
  });

  it("passes with the recorded agent in version 2, too", async () => {
    const script = recordingScript(await recordedVersion2());
    writeFileSync(join(folder, "version-2.test.ts"), script);
    expect(script).toContain('import { v2ClientScript } from "@acp-kit/testing/v2";');
    expect(script.match(/client\.request\("/g)).toHaveLength(4);
    expect(script).toContain('client.notify("session/cancel", { sessionId: session1?.sessionId });');
    expect((await run("version-2.test.ts")).output).toContain("1 passed");
  });

  it("contains every request of the client, and lists the omitted messages", async () => {
    const script = recordingScript(await recorded());
    expect(script).toContain('it("the agent behaves as in the recording"');
    expect(script.match(/client\.request\("/g)).toHaveLength(8);
    expect(script).toContain('.on("elicitation/create", inOrder([');
    expect(script).toContain('const { result: session1 } = await client.request("session/new"');
    expect(script).toContain("availableModes: [");
    expect(script).toContain('client.notify("session/cancel", { sessionId: session1?.sessionId });');
    expect(script).toContain("// - the updates of cancelled turns");
  });
});
