import type { Side } from "./format.js";
import { LineSplitter } from "./line-splitter.js";
import { isTextRecordable } from "./recordable.js";
import type { Recorder } from "./recorder.js";
import { MAX_TEXT_CHARS, recorderDefaults } from "./recorder-options.js";

/** Watches the bytes of one direction, or of the agent's standard error. */
export interface ByteWatcher {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Records the bytes of one side: a line that is JSON becomes a message, unchanged; any other line becomes noise.
 *
 * @param maxMessageBytes the maximum length of a line that is recorded in full. Of a longer line, only the id and the
 * method are recorded. If its prefix contains neither, the prefix is recorded as noise.
 */
export function watchMessages(
  recorder: Recorder,
  from: Side,
  maxMessageBytes: number = recorderDefaults.maxMessageBytes,
): ByteWatcher {
  const line = (text: string, bytes: number): void => {
    const json = text.trim();
    if (!isTextRecordable(json)) {
      tooLong(recorder, from, text, bytes);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(json);
    } catch {
      recorder.noise(from, text);
      return;
    }
    recorder.message(from, message, { text: json, bytes });
  };
  return new LineSplitter({ line, tooLong: (text, bytes) => tooLong(recorder, from, text, bytes) }, maxMessageBytes);
}

/** Records standard error, line by line. */
export function watchStderr(recorder: Recorder): ByteWatcher {
  const line = (text: string): void => recorder.stderr(text.endsWith("\r") ? text.slice(0, -1) : text);
  return new LineSplitter({ line, tooLong: line }, MAX_TEXT_CHARS * 2);
}

/** Records a line that is too long to be parsed. Its prefix usually shows the id and the method. */
function tooLong(recorder: Recorder, from: Side, beginning: string, bytes: number): void {
  const head = beginning.slice(0, 1_000);
  const method = /^\s*\{[^{}[\]]{0,200}"method"\s*:\s*"([^"\\\p{Cc}]{1,200})"/u.exec(head)?.[1];
  const id = /^\s*\{[^{}[\]]{0,300}"id"\s*:\s*(-?\d{1,15}|"[^"\\\p{Cc}]{1,200}")\s*[,}]/u.exec(head)?.[1];
  const envelope = { jsonrpc: "2.0", ...(id && { id: JSON.parse(id) }), ...(method && { method }) };
  if (method !== undefined) recorder.message(from, envelope, { bytes, beginning });
  else if (id !== undefined) recorder.message(from, { ...envelope, result: {} }, { bytes, beginning });
  else recorder.noise(from, beginning, bytes);
}
