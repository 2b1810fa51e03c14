import { expect, it } from "vitest";
import { createPaint } from "../text/paint.js";
import { loginHandlers } from "./log-in.js";

it("runs a login command with the environment of the agent, and with the variables of the login", async () => {
  const script = "process.exitCode = [process.env.A, process.env.B, process.env.C].join() === '1,2,3' ? 0 : 1";
  const { terminal } = loginHandlers({
    asker: { ask: async () => undefined },
    paint: createPaint(false),
    agent: { command: process.execPath, args: ["-e", script], env: { B: "2", C: "none" } },
    cwd: process.cwd(),
    env: { A: "1", B: "none" },
    setVariables: () => {},
    suspend: (run) => run(),
  });
  expect(await terminal?.({ args: [], env: { C: "3" } } as never)).toBe(true);
});
