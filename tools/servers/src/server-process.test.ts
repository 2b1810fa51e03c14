import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { startProcess } from "./server-process.js";

it("a server process rejects `until` with the reason if the program cannot be started", async () => {
  const started = startProcess("/nonexistent/program", [], { cwd: tmpdir() });
  await expect(started.until("ready")).rejects.toThrow("ENOENT");
  await started.end();
});

it("a server process rejects `until` with the output if the program ends without the text", async () => {
  const started = startProcess(process.execPath, ["-e", "console.log('no luck')"], { cwd: tmpdir() });
  await expect(started.until("ready")).rejects.toThrow("no luck");
});

it("a server process resolves `until` when the text arrives, and `end` when the program has ended", async () => {
  const script = "console.log('ready'); setInterval(() => {}, 1_000)";
  const started = startProcess(process.execPath, ["-e", script], { cwd: tmpdir() });
  await started.until("ready");
  await started.end("SIGKILL");
  expect(started.child.signalCode).toBe("SIGKILL");
});
