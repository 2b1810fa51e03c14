import type { Writable } from "node:stream";
import { builtin } from "./builtins.js";

type Write = typeof process.stdout.write;

const key = Symbol.for("acp-kit.stdout");

/**
 * Gives standard output to the protocol: from now on `console.log`, `process.stdout.write` and whatever else writes to that
 * stream goes to standard error, and the returned stream alone reaches standard output. Calling it again returns the same stream.
 *
 * What writes to file descriptor 1 itself can't be met here: `fs.writeSync(1, …)`, and children that inherit it.
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
  // Nobody may be reading what was redirected, and that must not end this process.
  stderr.on("error", () => {});
  const output = new (builtin("stream").Writable)({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => void write(chunk, encoding, done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
