import { describe, expect, it } from "vitest";
import { EventStream } from "./event-stream.js";

const owner = { queued: () => {}, kept: () => true, readerChanged: () => {} };

/** A stream with a reader, and the calls of `whenWritten`. */
function openStream() {
  const stream = new EventStream(owner);
  const reader = stream.openFirst();
  const calls: string[] = [];
  const call = (name: string) => stream.whenWritten(() => calls.push(name));
  return { stream, reader, calls, call };
}

it("reports its queue in bytes, not in characters", () => {
  let queued = 0;
  const stream = new EventStream({
    ...owner,
    queued: (difference) => {
      queued += difference;
    },
  });
  stream.push("data: €\n\n");
  stream.push("data: e\n\n");
  expect([queued, stream.waiting]).toEqual([20, 20]);
  stream.openFirst().take();
  expect([queued, stream.waiting]).toEqual([0, 0]);
});

describe("an action passed to `whenWritten`", () => {
  it("runs immediately when there is nothing to write", () => {
    const { calls, call } = openStream();
    call("empty");
    expect(calls).toEqual(["empty"]);
  });

  it("runs when the last chunk is written, not when the reader takes the chunk", () => {
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

  it("waits for the queued frames of an ended stream, so that they are sent before the stream is destroyed", () => {
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

  it("runs when the reader closes, and when the stream is destroyed", () => {
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
