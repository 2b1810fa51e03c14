import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRpcError } from "@acp-kit/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalsIn } from "./terminals.js";

let root = "";
let terminals: ReturnType<typeof terminalsIn>;
const context = { session: undefined, signal: new AbortController().signal };

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "showcase-terminals-")));
  terminals = terminalsIn(
    root,
    () => {},
    () => {},
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function start(
  script: string,
  more: { outputByteLimit?: number; cwd?: string } = {},
): Promise<{ sessionId: string; terminalId: string }> {
  const request = { sessionId: "s", command: process.execPath, args: ["-e", script], ...more };
  const { terminalId } = await terminals.createTerminal(request, context);
  return { sessionId: "s", terminalId };
}

const codeOf = async (action: () => unknown): Promise<unknown> => {
  try {
    return await action();
  } catch (error) {
    return isRpcError(error) ? error.code : error;
  }
};

it("runs a command in its folder and keeps what it writes", async () => {
  const terminal = await start("console.log(process.cwd()); console.error('oops'); process.exitCode = 3");
  expect(await terminals.waitForTerminalExit(terminal, context)).toEqual({ exitCode: 3, signal: null });
  const { output, truncated, exitStatus } = await terminals.terminalOutput(terminal, context);
  expect(output.split("\n").sort()).toEqual(["", "oops", root].sort());
  expect([truncated, exitStatus?.exitCode]).toEqual([false, 3]);
});

it("keeps the last bytes, from the beginning of a character", async () => {
  const terminal = await start("process.stdout.write('aé€')", { outputByteLimit: 4 });
  await terminals.waitForTerminalExit(terminal, context);
  expect(await terminals.terminalOutput(terminal, context)).toMatchObject({ output: "€", truncated: true });
});

it("kills, and can still be read; a released one is gone", async () => {
  const terminal = await start("setInterval(() => {}, 1000)");
  await terminals.killTerminal(terminal, context);
  expect(await terminals.waitForTerminalExit(terminal, context)).toMatchObject({ exitCode: null, signal: "SIGTERM" });
  expect(await terminals.terminalOutput(terminal, context)).toMatchObject({ output: "" });
  await terminals.releaseTerminal(terminal, context);
  expect(terminals.open()).toBe(0);
  expect(await codeOf(() => terminals.terminalOutput(terminal, context))).toBe(-32002);
});

it("belongs to the session that made it", async () => {
  const { terminalId } = await start("");
  expect(await codeOf(() => terminals.terminalOutput({ sessionId: "other", terminalId }, context))).toBe(-32002);
  await terminals.releaseTerminal({ sessionId: "s", terminalId }, context);
});

it("runs nothing outside its folder, and says when a command can't be started", async () => {
  expect(await codeOf(() => start("", { cwd: tmpdir() }))).toBe(-32602);
  const request = { sessionId: "s", command: "no-such-command-at-all" };
  expect(await codeOf(() => terminals.createTerminal(request, context))).toMatchObject({ code: "ENOENT" });
});
