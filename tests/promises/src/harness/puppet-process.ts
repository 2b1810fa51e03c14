// An agent process that a test controls. It writes the messages of the IPC channel to its stdout, and sends every line
// of its stdin back to the test.
import { closeSync, writeSync } from "node:fs";

export type PuppetOrder =
  | { readonly write: string }
  | { readonly closeOutput: true }
  | { readonly closeInput: true }
  | { readonly exit: number };

// Node's streams leave these two file descriptors open when they are destroyed.
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
    // The client has closed its end. Its earlier messages must still be sent to the test.
  }
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) process.send?.(line);
});
