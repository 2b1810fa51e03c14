import { PassThrough, Writable } from "node:stream";
import { expect, it } from "vitest";
import { wantsColours } from "./colours.js";
import { Output } from "./output.js";

it("reports a closed pipe once, and writes nothing afterwards", async () => {
  const written: string[] = [];
  const stream = new Writable({
    autoDestroy: false,
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done(written.length > 1 ? Object.assign(new Error("write EPIPE"), { code: "EPIPE" }) : null);
    },
  });
  const output = new Output(stream, {});
  output.line("one");
  output.line("two");
  await output.flush();
  expect(output.closed.aborted).toBe(true);
  output.line("three");
  await output.flush();
  expect(written).toEqual(["one\n", "two\n"]);
});

it("has the first error of a write as its failure, unless the reader closed the pipe", async () => {
  const outputs = ["ENOSPC", "EPIPE"].map((code) => {
    const write = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(`write ${code}`), { code }));
    const output = new Output(new Writable({ write }), {});
    output.line("one");
    output.line("two");
    return output;
  });
  await Promise.all(outputs.map((output) => output.flush()));
  expect(outputs.map(({ closed, failure }) => [closed.aborted, failure?.message])).toEqual([
    [true, "write ENOSPC"],
    [true, undefined],
  ]);
});

it("signals when the reader falls behind, and when it has caught up", async () => {
  const stream = new PassThrough({ highWaterMark: 4 });
  const output = new Output(stream, {});
  expect(output.full).toBeUndefined();
  output.write("much more than four");
  const full = output.full;
  expect(full).toBeInstanceOf(Promise);
  stream.resume();
  await full;
  expect(output.full).toBeUndefined();
});

it("isMidLine is true after an unfinished line", () => {
  const output = new Output(new PassThrough(), {});
  const isMidLine = ["", "one", "", " line\n", "two"].map((text) => {
    output.write(text);
    return output.isMidLine;
  });
  expect(isMidLine).toEqual([false, true, true, false, true]);
  output.lineEnded();
  expect(output.isMidLine).toBe(false);
});

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("colours on a terminal (%s) with %j: %s", (isTerminal, env, wanted) => {
  expect(wantsColours(isTerminal, env)).toBe(wanted);
});

it("has the usual size if a terminal has none", () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 0, rows: 0, getWindowSize: () => [0, 0] });
  const output = new Output(stream as never, {});
  expect([output.columns, output.rows]).toEqual([80, 24]);
});
