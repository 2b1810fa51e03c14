import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DialogueLog } from "../dialogue.js";
import { Pace, START } from "../pace.js";
import { Failure, Inconclusive } from "../verdict.js";
import type { AgentLinkListener } from "./agent-link.js";
import { ClientRun } from "./client-run.js";
import { ScriptedAgent } from "./scripted-agent.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const STEP_MS = 1_000;

/** A client that offers files, and responds only when the test calls `send`. */
function silentClient(): { agent: ScriptedAgent; pace: Pace; send(message: object): void; close(): void } {
  let client: AgentLinkListener | undefined;
  const pace = new Pace();
  const agent = new ScriptedAgent(
    {
      extraArguments: [],
      write: () => {},
      exit: () => {},
      crash: () => {},
      listen: (listener) => {
        client = listener;
      },
    },
    {
      setup: {},
      log: new DialogueLog("connection 1"),
      stepTimeoutMs: STEP_MS,
      pace,
      onTurn: () => {},
      onRequest: () => {},
      failNoResponse(sent, requirement = "the rule of the scenario") {
        throw new Failure({ requirement, sent, received: "", explanation: "" });
      },
    },
  );
  const send = (message: object): void =>
    client?.data(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
  send({ id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities } });
  return { agent, pace, send, close: () => client?.end() };
}

/** Writes a file through the client, with a request of this id. */
function write(agent: ScriptedAgent, id: string): Promise<unknown> {
  return agent.request("fs/write_text_file", { path: "/a" }, "a write", id).then(
    () => "response",
    (error: unknown) => error,
  );
}

/** A write that gets its response after this many milliseconds. */
async function writeWithResponse(client: ReturnType<typeof silentClient>, ms: number): Promise<unknown> {
  const writing = write(client.agent, `after ${ms}`);
  await vi.advanceTimersByTimeAsync(ms);
  client.send({ id: `after ${ms}`, result: {} });
  return writing;
}

test("conformance.slow-files: a client whose file responses always exceed the limit is too slow, and breaks no rule", async () => {
  const { agent } = silentClient();
  const writing = write(agent, "slow");
  await vi.advanceTimersByTimeAsync(100 * STEP_MS);
  expect(await writing).toBeInstanceOf(Inconclusive);
  expect(await writing).toMatchObject({ message: expect.stringMatching(/^too slow for these limits: .*--step/) });
});

test("a fast response to another method is not comparable with files", async () => {
  const client = silentClient();
  const reading = client.agent.request("fs/read_text_file", { path: "/a" }, "a read", "read");
  await vi.advanceTimersByTimeAsync(1);
  client.send({ id: "read", result: { content: "" } });
  await reading;
  const writing = write(client.agent, "slow");
  await vi.advanceTimersByTimeAsync(100 * STEP_MS);
  expect(await writing).toBeInstanceOf(Inconclusive);
});

test("an error response is not comparable with a file response", async () => {
  const client = silentClient();
  const refused = write(client.agent, "refused");
  await vi.advanceTimersByTimeAsync(1);
  client.send({ id: "refused", error: { code: -32602, message: "Invalid params" } });
  await refused;
  const writing = write(client.agent, "slow");
  await vi.advanceTimersByTimeAsync(100 * STEP_MS);
  expect(await writing).toBeInstanceOf(Inconclusive);
});

test("a response is missing only if a comparable response took much less time", async () => {
  const slow = silentClient();
  expect(await writeWithResponse(slow, 300)).toBe("response");
  const late = write(slow.agent, "late");
  await vi.advanceTimersByTimeAsync(2 * STEP_MS);
  expect(await late).toBeInstanceOf(Inconclusive);

  const fast = silentClient();
  expect(await writeWithResponse(fast, 20)).toBe("response");
  const missing = write(fast.agent, "missing");
  await vi.advanceTimersByTimeAsync(2 * STEP_MS);
  expect(await missing).toMatchObject({ finding: { requirement: "RPC-04", sent: "a write" } });
});

test("a response is missing if the connection is closed", async () => {
  const { agent, close } = silentClient();
  const writing = write(agent, "closed");
  close();
  expect(await writing).toMatchObject({ finding: { requirement: "RPC-04" } });
});

test("a response to an unknown method is missing after eight times the duration of the start, because it needs no work", async () => {
  const { agent, pace } = silentClient();
  pace.recordResponseTime(START, STEP_MS / 8);
  const creating = agent.request("terminal/create", {}, "a terminal").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2 * STEP_MS);
  expect(await creating).toMatchObject({ finding: { requirement: "RPC-04" } });
});

test("an exit after the limit of a step, but within the client's patience limit, is too slow and not missing", async () => {
  const run = new ClientRun({ stepTimeoutMs: STEP_MS, patienceMs: 8 * STEP_MS }, () => {
    throw new Error("skipped");
  });
  let exit: (status: { code: number; signal: null }) => void = () => {};
  run.launched({
    exited: new Promise((resolve) => {
      exit = resolve;
    }),
    stderr: () => "",
    type: () => {},
    closeStdin: () => {},
    signal: () => {},
    kill: () => Promise.resolve(),
  });
  const waiting = run.waitForLateExit().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(6 * STEP_MS);
  exit({ code: 0, signal: null });
  expect(await waiting).toBeInstanceOf(Inconclusive);
});
