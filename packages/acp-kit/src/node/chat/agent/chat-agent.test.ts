import { expect, it, onTestFinished } from "vitest";
import { sandbox } from "../../../../test/spawned.js";
import type { Host } from "../../host.js";
import type { Log } from "../../log.js";
import { chatAgentSource } from "./chat-agent.js";

function isRunning(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? Number.NaN, 0);
  } catch {
    return false;
  }
}

it("starts the agent with its own environment variables and with those of a login", async () => {
  const script = "console.error(process.env.BACKEND_URL, process.env.TOKEN); process.stdin.resume()";
  const { cwd, home, remove } = sandbox();
  onTestFinished(remove);
  const command = {
    command: process.execPath,
    args: ["-e", script],
    env: { BACKEND_URL: "http://backend", TOKEN: "none" },
  };
  const host = { env: { HOME: home } } as unknown as Host;
  const printed = await new Promise<string>((onStderr) => {
    const source = chatAgentSource(command, host, { cwd, log: {} as Log, onStderr });
    onTestFinished(() => source.close?.());
    source.setVariables({ TOKEN: "abc" });
    void source.open();
  });
  expect(printed).toBe("http://backend abc");
});

it("runs one process of the agent, also after concurrent calls of open", async () => {
  const command = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };
  const { cwd, home, remove } = sandbox();
  const host = { env: { HOME: home } } as unknown as Host;
  const source = chatAgentSource(command, host, { cwd, log: {} as Log });
  const opened = (await Promise.all([source.open(), source.open()])) as {
    readonly pid?: number;
    close(): Promise<void>;
  }[];
  onTestFinished(async () => {
    await Promise.all(opened.map((each) => each.close()));
    remove();
  });
  expect(opened.map(({ pid }) => isRunning(pid))).toEqual([false, true]);
  await source.close();
  expect(opened.map(({ pid }) => isRunning(pid))).toEqual([false, false]);
});
