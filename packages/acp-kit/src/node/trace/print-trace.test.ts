import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { Output } from "../output.js";
import { printTrace } from "./print-trace.js";

it("ends when the reader of the output is gone, although the writer of the recording is silent", async () => {
  const [stdin, pipe] = [new PassThrough(), new PassThrough()];
  const printed = printTrace("-", false, { ...fakeHost(), stdin, stdout: new Output(pipe, {}) });
  pipe.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await printed;
  expect(stdin.destroyed).toBe(true);
});
