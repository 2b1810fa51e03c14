import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Readable, Writable } from "node:stream";

/**
 * The streams of this process as bytes. A command that records does not use the streams of its host, because the data
 * is not text and the end of the data must reach the client.
 */
export function ownStreams(): { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable } {
  const { stdin, stdout, stderr } = process;
  // Node never closes its standard output, so the client would not see that a running agent closed its own.
  stdout.once("finish", () => closeDescriptor(1));
  return { stdin, stdout, stderr };
}

function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor);
    openSync(devNull, "w"); // takes the number, so that no file opened later becomes our standard output
  } catch {
    // It was closed already.
  }
}
