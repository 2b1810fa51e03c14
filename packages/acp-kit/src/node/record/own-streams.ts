import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Readable, Writable } from "node:stream";

/**
 * Returns the streams of this process as bytes. Commands that forward bytes do not use the streams of their host,
 * because the data may not be text, and the end of the data must reach the client.
 */
export function ownStreams(): { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable } {
  const { stdin, stdout, stderr } = process;
  // Node never closes the standard output of its process. Without this, the client would not notice that a running
  // agent has closed its standard output.
  stdout.once("finish", () => closeDescriptor(1));
  return { stdin, stdout, stderr };
}

function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor);
    openSync(devNull, "w"); // occupies the descriptor, so that no file that is opened later becomes the standard output
  } catch {
    // The descriptor was already closed.
  }
}
