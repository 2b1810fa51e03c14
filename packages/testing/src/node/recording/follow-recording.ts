import { open, watch } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { onAbort } from "@acp-kit/jsonrpc/internal";
import type { RecordingEntry } from "../../recording/format.js";
import { RecordingReader } from "../../recording/read-recording.js";

/**
 * Yields the entries of a recording, and further ones as they are written, until `signal` aborts.
 *
 * @throws {RecordingError} when the file is not a recording.
 */
export async function* followRecordingFile(path: string, signal: AbortSignal): AsyncGenerator<RecordingEntry, void> {
  const reader = new RecordingReader();
  const decoder = new StringDecoder("utf8");
  const file = await open(path);
  /** Ends the watching. `changes.return` alone would wait for the next change of the file. */
  const over = new AbortController();
  const stopListening = onAbort(signal, () => over.abort());
  const changes = watch(path, { signal: over.signal })[Symbol.asyncIterator]();
  /** Waits for the next change of the file. Called before reading, so that no later change is missed. */
  const nextChange = (): Promise<IteratorResult<unknown, unknown>> => {
    const change = changes.next();
    change.catch(() => {}); // the error is reported when it is awaited
    return change;
  };
  let change = nextChange();
  try {
    const buffer = Buffer.alloc(65_536);
    for (;;) {
      for (;;) {
        const { bytesRead } = await file.read(buffer);
        if (bytesRead === 0) break;
        yield* reader.push(decoder.write(buffer.subarray(0, bytesRead)));
      }
      if ((await change).done) return;
      change = nextChange();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopListening();
    over.abort();
    await file.close();
  }
}
