import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { fakeHost } from "../../test/fake-host.js";
import { ExitCode } from "./exit-code.js";
import type { Host } from "./host.js";
import { listenForInterrupts } from "./interrupts.js";
import { Output, type OutputStream } from "./output.js";

/** A host whose output can lose its reader. */
function hostWithPipe(): { readonly host: Host; readonly pipe: OutputStream } {
  const fake = fakeHost();
  const pipe = Object.assign(new PassThrough(), { isTTY: false });
  return { host: { ...fake, stdout: new Output(pipe, {}) }, pipe };
}

const gone = (): Error => Object.assign(new Error("write EPIPE"), { code: "EPIPE" });

test("a command stops when the reader of its output goes away", () => {
  const { host, pipe } = hostWithPipe();
  using interrupts = listenForInterrupts(host);
  expect(interrupts.stop.aborted).toBe(false);
  pipe.emit("error", gone());
  expect(interrupts.stop.reason).toMatchObject({ exitCode: ExitCode.cancelled });
});

test("a command stops if the reader of its output had gone away before", () => {
  const { host, pipe } = hostWithPipe();
  pipe.emit("error", gone());
  const reasons: string[] = [];
  using interrupts = listenForInterrupts(host, { onStop: ({ message }) => reasons.push(message) });
  expect(interrupts.stop.aborted).toBe(true);
  expect(reasons).toEqual(["cancelled, because the reader closed the output pipe"]);
});

test("a command fails when its output can't be written for another reason", () => {
  const { host, pipe } = hostWithPipe();
  using interrupts = listenForInterrupts(host);
  pipe.emit("error", Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" }));
  expect(interrupts.stop.reason).toMatchObject({
    exitCode: ExitCode.error,
    message: "Can't write to standard output, so the result is incomplete: write ENOSPC",
  });
});
