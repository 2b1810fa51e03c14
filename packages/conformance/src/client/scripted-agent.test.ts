import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DialogueLog } from "../dialogue.js";
import { Pace } from "../pace.js";
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

/** A client that offers files, and responds only when the test says so. */
function silentClient(): { agent: ScriptedAgent; send(message: object): void; close(): void } {
  let client: AgentLinkListener | undefined;
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
      stepMs: STEP_MS,
      pace: new Pace(),
      onTurn: () => {},
      onRequest: () => {},
      noAnswer(sent, requirement = "the rule of the scenario") {
        throw new Failure({ requirement, sent, received: "", explanation: "" });
      },
    },
  );
  const send = (message: object): void =>
    client?.data(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
  send({ id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities } });
  return { agent, send, close: () => client?.end() };
}

/** Writes a file through the client, under an id. */
function write(agent: ScriptedAgent, id: string): Promise<unknown> {
  return agent.ask("fs/write_text_file", { path: "/a" }, "a write", id).then(
    () => "answered",
    (error: unknown) => error,
  );
}

/** A write that gets its response after this many milliseconds. */
async function answered(client: ReturnType<typeof silentClient>, ms: number): Promise<unknown> {
  const writing = write(client.agent, `after ${ms}`);
  await vi.advanceTimersByTimeAsync(ms);
  client.send({ id: `after ${ms}`, result: {} });
  return writing;
}

test("conformance.slow-files: a client whose file responses never come in the time of the kit is too slow, and breaks no rule", async () => {
  const { agent } = silentClient();
  const writing = write(agent, "slow");
  await vi.advanceTimersByTimeAsync(100 * STEP_MS);
  expect(await writing).toBeInstanceOf(Inconclusive);
  expect(await writing).toMatchObject({ message: expect.stringMatching(/^too slow for these limits: .*--step/) });
});

test("a fast response to another method shows nothing about files", async () => {
  const client = silentClient();
  const reading = client.agent.ask("fs/read_text_file", { path: "/a" }, "a read", "read");
  await vi.advanceTimersByTimeAsync(1);
  client.send({ id: "read", result: { content: "" } });
  await reading;
  const writing = write(client.agent, "slow");
  await vi.advanceTimersByTimeAsync(100 * STEP_MS);
  expect(await writing).toBeInstanceOf(Inconclusive);
});

test("a refusal shows nothing about the files that are served", async () => {
  const client = silentClient();
  const refused = write(client.agent, "refused");
  await vi.advanceTimersByTimeAsync(1);
  client.send({ id: "refused", error: { code: -32602, message: "Invalid params" } });
  await refused;
  const writing = write(client.agent, "slow");
  await vi.advanceTimersByTimeAsync(100 * STEP_MS);
  expect(await writing).toBeInstanceOf(Inconclusive);
});

test("a response is missing where a comparable one took much less time, and not where it took nearly as long", async () => {
  const slow = silentClient();
  expect(await answered(slow, 300)).toBe("answered");
  const late = write(slow.agent, "late");
  await vi.advanceTimersByTimeAsync(2 * STEP_MS);
  expect(await late).toBeInstanceOf(Inconclusive);

  const fast = silentClient();
  expect(await answered(fast, 20)).toBe("answered");
  const missing = write(fast.agent, "missing");
  await vi.advanceTimersByTimeAsync(2 * STEP_MS);
  expect(await missing).toMatchObject({ finding: { requirement: "RPC-04", sent: "a write" } });
});

test("no response can come over a closed connection", async () => {
  const { agent, close } = silentClient();
  const writing = write(agent, "closed");
  close();
  expect(await writing).toMatchObject({ finding: { requirement: "RPC-04" } });
});

test("a method that the client does not have is refused without work, so that no response to it is missing after the limit", async () => {
  const { agent } = silentClient();
  const asking = agent.ask("terminal/create", {}, "a terminal").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2 * STEP_MS);
  expect(await asking).toMatchObject({ finding: { requirement: "RPC-04" } });
});

test("an exit that comes later than a step, and sooner than a client of this speed may need, is too slow", async () => {
  const run = new ClientRun({ stepMs: STEP_MS, patienceMs: 8 * STEP_MS }, () => {
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
