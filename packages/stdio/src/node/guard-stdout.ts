import type { Writable } from "node:stream";
import { builtin } from "./builtins.js";

type Write = typeof process.stdout.write;

const key = Symbol.for("acp-kit.stdout");

/**
 * Reserves standard output for the protocol: after the call, `console.log`, `process.stdout.write` and other writers
 * write to standard error, and only the returned stream writes to standard output. A second call returns the same
 * stream.
 *
 * The function can't redirect direct writes to file descriptor 1, for example `fs.writeSync(1, …)` or the output of
 * child processes that inherit it.
 */
export function guardStdout(): Writable {
  const shared = process as { [key]?: Writable };
  shared[key] ??= redirect();
  return shared[key];
}

function redirect(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = ((...args: Parameters<Write>) => stderr.write(...args)) as Write;
  stdout.end = ((...args: unknown[]) => {
    const [chunk] = args;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) stderr.write(chunk);
    return stdout;
  }) as typeof stdout.end;
  // Redirected output must not end this process if standard error is no longer read.
  stderr.on("error", () => {});
  const output = new (builtin("stream").Writable)({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => void write(chunk, encoding, done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
