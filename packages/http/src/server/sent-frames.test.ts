import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, SentFrames } from "./sent-frames.js";

const event = (text: string): Frame => ({ text, isEvent: true });
const comment = (text: string): Frame => ({ text, isEvent: false });

function send(sent: SentFrames, frames: readonly Frame[]): void {
  let text = "";
  const eventEnds: number[] = [];
  for (const frame of frames) {
    text += frame.text;
    if (frame.isEvent) eventEnds.push(text.length);
  }
  sent.add(text, eventEnds);
}

function sentFrames(maxLength: number, ...writes: (readonly Frame[])[]): SentFrames {
  const sent = new SentFrames(maxLength);
  for (const frames of writes) send(sent, frames);
  return sent;
}

describe("the frames after a number of events", () => {
  const writes = [
    [event("1,"), event("2,")],
    [event("3,"), comment(":a,")],
    [comment(":b,"), event("4,")],
  ];

  it("are the events that the client has not received, with the comments between them", () => {
    expect(sentFrames(100, ...writes).takeAfter(0)).toEqual([
      event("1,"),
      event("2,"),
      event("3,"),
      comment(":a,"),
      event(":b,4,"),
    ]);
    expect(sentFrames(100, ...writes).takeAfter(1)?.[0]).toEqual(event("2,"));
    expect(sentFrames(100, ...writes).takeAfter(3)).toEqual([comment(":a,"), event(":b,4,")]);
    expect(sentFrames(100, ...writes).takeAfter(4)).toEqual([]);
  });

  it("are unknown if the client counted more events than were sent", () => {
    expect(sentFrames(100, ...writes).takeAfter(5)).toBeUndefined();
    expect(sentFrames(100).takeAfter(1)).toBeUndefined();
    expect(sentFrames(100).takeAfter(0)).toEqual([]);
  });

  it("are unknown if the oldest of them are forgotten, also inside a write", () => {
    const sent = sentFrames(4, [event("1,"), event("2,"), event("3,")]);
    expect(sent.takeAfter(0)).toBeUndefined();
    expect(sent.takeAfter(1)).toEqual([event("2,"), event("3,")]);
    expect(sentFrames(0, [event("1,")]).takeAfter(0)).toBeUndefined();
    expect(sentFrames(0, [event("1,")]).takeAfter(1)).toEqual([]);
  });

  it("are unknown if there was no room to keep them, and those sent later are known", () => {
    const sent = sentFrames(100, [event("1,")]);
    sent.add("2,", [2], false);
    expect(sent.length).toBe(0);
    send(sent, [event("3,")]);
    expect([sent.takeAfter(1), sent.takeAfter(2)]).toEqual([undefined, [event("3,")]]);
  });

  it("are the ones that lists of frames would contain, whatever was written, forgotten and sent again", () => {
    const frame = fc.record({ text: fc.string({ minLength: 1, maxLength: 5 }), isEvent: fc.boolean() });
    const step = fc.oneof(fc.array(frame, { minLength: 1, maxLength: 6 }), fc.nat(20));
    fc.assert(
      fc.property(fc.array(step), fc.nat(20), (steps, maxLength) => {
        const sent = new SentFrames(maxLength);
        const model = new FrameLists(maxLength);
        for (const step of steps)
          if (typeof step === "number")
            expect(summaryOf(sent.takeAfter(step))).toEqual(summaryOf(model.takeAfter(step)));
          else {
            send(sent, step);
            model.add(step);
          }
      }),
      { numRuns: 1_000 },
    );
  });
});

const summaryOf = (frames: readonly Frame[] | undefined): unknown =>
  frames && { text: frames.map(({ text }) => text).join(""), events: frames.filter(({ isEvent }) => isEvent).length };

/** A simple implementation of {@link SentFrames}. */
class FrameLists {
  #writes: Frame[][] = [];
  #forgotten = 0;
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(frames: readonly Frame[]): void {
    this.#writes.push([...frames]);
    while (this.#writes.flat().reduce((sum, { text }) => sum + text.length, 0) > this.#maxLength) {
      const [oldest = []] = this.#writes;
      const event = oldest.findIndex(({ isEvent }) => isEvent);
      oldest.splice(0, event < 0 ? oldest.length : event + 1);
      if (event >= 0) this.#forgotten += 1;
      if (oldest.length === 0) this.#writes.shift();
    }
  }

  takeAfter(received: number): Frame[] | undefined {
    const frames = this.#writes.flat();
    const ends = [0, ...frames.flatMap(({ isEvent }, i) => (isEvent ? [i + 1] : []))];
    let kept = ends[received - this.#forgotten];
    if (kept === undefined) return undefined;
    const after = frames.slice(kept);
    this.#writes = this.#writes.map((write) => {
      const rest = write.slice(0, kept);
      kept = (kept as number) - rest.length;
      return rest;
    });
    this.#writes = this.#writes.filter((write) => write.length > 0);
    return after;
  }
}
