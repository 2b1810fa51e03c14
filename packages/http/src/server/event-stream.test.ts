import { describe, expect, it } from "vitest";
import { EventStream } from "./event-stream.js";

const owner = { queued: () => {}, readerChanged: () => {} };

/** A stream with a reader, and what `whenWritten` has called. */
function openStream() {
  const stream = new EventStream(owner);
  const reader = stream.openFirst();
  const calls: string[] = [];
  const call = (name: string) => stream.whenWritten(() => calls.push(name));
  return { stream, reader, calls, call };
}

describe("an action that follows the writing of a stream", () => {
  it("runs at once when there is nothing to write", () => {
    const { calls, call } = openStream();
    call("empty");
    expect(calls).toEqual(["empty"]);
  });

  it("runs when the last piece that was taken has left, not when it is taken", () => {
    const { stream, reader, calls, call } = openStream();
    stream.push("a");
    reader.take();
    stream.push("b");
    call("both");
    reader.take();
    reader.written();
    expect(calls).toEqual([]);
    reader.written();
    expect(calls).toEqual(["both"]);
  });

  it("waits for queued frames when the stream has ended, so that they leave before it is dropped", () => {
    const { stream, reader, calls, call } = openStream();
    stream.push("last words");
    stream.end();
    call("end");
    expect(calls).toEqual([]);
    reader.take();
    reader.written();
    expect(calls).toEqual(["end"]);
    expect(reader.ended).toBe(true);
  });

  it("runs when the reader goes, and when the stream is dropped: nothing writes it any more", () => {
    const gone = openStream();
    gone.stream.push("a");
    gone.call("gone");
    gone.reader.close();
    expect(gone.calls).toEqual(["gone"]);
    const dropped = openStream();
    dropped.stream.push("a");
    dropped.call("dropped");
    dropped.stream.destroy();
    expect(dropped.calls).toEqual(["dropped"]);
  });
});
