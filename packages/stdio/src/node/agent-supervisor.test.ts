import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Dialogue } from "../../test/dialogue.js";
import { livingIn } from "../../test/processes.js";
import { AgentSupervisor, type SuperviseAgentOptions, superviseAgent } from "./agent-supervisor.js";
import { type RestartPolicy, restartDelay, restartPolicy } from "./restart-policy.js";

const fixture = fileURLToPath(new URL("../../test/fixtures/agent.mjs", import.meta.url));
let supervisors: AgentSupervisor[] = [];
afterEach(async () => {
  for (const supervisor of supervisors) await supervisor.close();
  supervisors = [];
});

function supervise(options: Partial<SuperviseAgentOptions> = {}, policy?: Partial<RestartPolicy>): AgentSupervisor {
  const own = { command: process.execPath, args: [fixture], exitGraceMs: 1_000, ...options };
  const supervisor = policy === undefined ? superviseAgent(own) : new AgentSupervisor(own, { backoffMs: 1, ...policy });
  supervisors.push(supervisor);
  return supervisor;
}

describe("superviseAgent", () => {
  it("starts nothing before the first `open()`, and one process for all callers", async () => {
    const supervisor = supervise();
    expect(supervisor.starts).toBe(0);
    const [first, second] = await Promise.all([supervisor.open(), supervisor.open()]);
    expect(first).toBe(second);
    expect(await supervisor.open()).toBe(first);
    expect(supervisor.starts).toBe(1);
  });

  it("starts it again when it has crashed, once its process group is gone", async () => {
    const supervisor = supervise();
    const first = await supervisor.open();
    const dialogue = new Dialogue(first);
    await dialogue.request("tree", { children: 2 });
    dialogue.notify("kill", { signal: "SIGKILL" });
    expect(await dialogue.failure()).toMatchObject({ code: "killed" });

    const second = await supervisor.open();
    expect(second).not.toBe(first);
    expect(livingIn(first.pid ?? 0)).toEqual([]);
    expect(await new Dialogue(second).request("echo", 1)).toBe(1);
    expect(dialogue.receiver.ends).toHaveLength(1);
  });

  it("starts it again after it was closed, which is not a crash", async () => {
    const supervisor = supervise({}, { maxRestarts: 0 });
    for (let life = 0; life < 3; life += 1) await (await supervisor.open()).close();
    expect(supervisor.starts).toBe(3);
  });

  it("stops restarting an agent that crashes too often, with the last crash as cause", async () => {
    const supervisor = supervise({ args: [fixture, "--stderr=bad config|", "--exit=4"] }, { maxRestarts: 2 });
    for (let life = 0; life < 3; life += 1) await (await supervisor.open()).exited;
    const refused = supervisor.open();
    await expect(refused).rejects.toMatchObject({
      code: "restart_budget",
      exitCode: 4,
      message: expect.stringContaining("bad config"),
      cause: { code: "exited", exitCode: 4 },
    });
    await expect(supervisor.open()).rejects.toMatchObject({ code: "restart_budget" });
    expect(supervisor.starts).toBe(3);
  });

  it("works again when the window has passed", async () => {
    const supervisor = supervise({ command: "no-such-agent" }, { maxRestarts: 0 });
    await (await supervisor.open()).exited;
    await expect(supervisor.open()).rejects.toMatchObject({ code: "restart_budget", cause: { code: "not_found" } });
    const afterWindow = performance.now() + restartPolicy.restartWindowMs;
    const clock = vi.spyOn(performance, "now").mockReturnValue(afterWindow);
    onTestFinished(() => clock.mockRestore());
    await supervisor.open();
    expect(supervisor.starts).toBe(2);
  });

  it("ends with its agent, also while it waits, and starts no further one", async () => {
    const supervisor = supervise({ command: "no-such-agent" }, { backoffMs: 1_000_000, maxBackoffMs: 1_000_000 });
    for (let life = 0; life < 2; life += 1) await (await supervisor.open()).exited;
    const waiting = supervisor.open();
    const refused = expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await supervisor.close();
    await refused;
    await expect(supervisor.open()).rejects.toMatchObject({ code: "aborted" });

    const controller = new AbortController();
    const aborted = supervise({ signal: controller.signal });
    const agent = await aborted.open();
    controller.abort(new Error("enough"));
    await agent.exited;
    await expect(aborted.open()).rejects.toMatchObject({ code: "aborted", cause: { message: "enough" } });
  });
});

describe("the options of a supervisor", () => {
  it("aborts the delay before a restart with the caller's signal", async () => {
    const controller = new AbortController();
    const backoff = { backoffMs: 1_000_000, maxBackoffMs: 1_000_000 };
    const supervisor = supervise({ command: "no-such-agent", signal: controller.signal }, backoff);
    for (let life = 0; life < 2; life += 1) await (await supervisor.open()).exited;
    const waiting = supervisor.open();
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toMatchObject({ code: "aborted", cause: { message: "enough" } });
    expect(supervisor.starts).toBe(2);
  });
});

describe("restartDelay", () => {
  const options = { maxRestarts: 4, restartWindowMs: 1_000, backoffMs: 100, maxBackoffMs: 300 };

  it("restarts immediately first, then doubles the delay each time, up to a limit and a budget", () => {
    const crashes = [0, 10, 20, 30, 40];
    const delays = [0, 1, 2, 3, 4, 5].map((count) => restartDelay(crashes.slice(0, count), 50, options));
    expect(delays).toEqual([0, 0, 100, 200, 300, undefined]);
  });

  it("forgets crashes outside the window", () => {
    expect(restartDelay([0, 10, 20, 30, 40], 1_035, options)).toBe(0);
    expect(restartDelay([0, 10, 20, 30, 40], 1_015, options)).toBe(200);
  });
});
