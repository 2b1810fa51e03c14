// An agent process that a test plays by hand: what the test sends over the IPC channel it writes to its stdout, every line it
// reads goes back to the test.
import { closeSync, writeSync } from "node:fs";

export type PuppetOrder =
  | { readonly write: string }
  | { readonly closeOutput: true }
  | { readonly closeInput: true }
  | { readonly exit: number };

// Node's own streams leave these two open when they are destroyed.
const STDIN = 0;
const STDOUT = 1;

process.on("message", (order: PuppetOrder) => {
  if ("write" in order) write(order.write);
  else if ("closeOutput" in order) closeSync(STDOUT);
  else if ("closeInput" in order) process.stdin.once("close", () => closeSync(STDIN)).destroy();
  else process.exit(order.exit);
});

function write(text: string): void {
  try {
    writeSync(STDOUT, text);
  } catch {
    // The client has ended; its earlier messages still have to be reported.
  }
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) process.send?.(line);
});
