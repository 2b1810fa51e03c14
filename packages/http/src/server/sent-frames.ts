/** An event or a comment. Only events are numbered. */
export interface Frame {
  readonly text: string;
  readonly isEvent: boolean;
}

interface SentText {
  readonly text: string;
  /** The positions in the text at which its events end. */
  readonly eventEnds: readonly number[];
  /** The number of its events that are forgotten. They are the first ones. */
  forgotten: number;
}

/** The place of a text that is forgotten. */
const nothing: SentText = { text: "", eventEnds: [], forgotten: 0 };

/**
 * The last frames that a stream has sent, for a client that opens the stream again. Frames that were sent together are
 * kept as one text: an object for each frame would cost more time in the garbage collector than everything else that a
 * stream does. A text stays in memory until its last frame is forgotten.
 */
export class SentFrames {
  readonly #maxLength: number;
  #texts: SentText[] = [];
  /** The number of forgotten texts at the beginning of `#texts`: removing one by one would move all others. */
  #done = 0;
  /** The number of characters of the frames that are not forgotten. */
  #length = 0;
  #forgotten = 0;

  /** @param maxLength the highest number of characters that are kept */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The number of characters. */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds frames that are sent together, and forgets the oldest frames if there are too many characters. `eventEnds` has
   * the positions in the text at which events end. With `hasRoom: false`, all frames are forgotten, also the new ones.
   */
  add(text: string, eventEnds: readonly number[], hasRoom = true): void {
    this.#texts.push({ text, eventEnds, forgotten: 0 });
    this.#length += text.length;
    this.#forget(hasRoom ? this.#maxLength : 0);
  }

  /**
   * Removes and returns the frames after the first `received` events of the stream. Returns `undefined` if some of
   * these frames are forgotten, or if fewer events were sent.
   */
  takeAfter(received: number): readonly Frame[] | undefined {
    this.#removeDone();
    let events = this.#forgotten;
    if (received < events) return undefined;
    let index = 0;
    for (; index < this.#texts.length; index++) {
      const { eventEnds, forgotten } = this.#texts[index] as SentText;
      if (events + eventEnds.length - forgotten >= received) break;
      events += eventEnds.length - forgotten;
    }
    const [split, ...later] = this.#texts.splice(index);
    // The client counted more events than this stream has sent
    if (split === undefined) return events === received ? [] : undefined;
    const { text, eventEnds, forgotten } = split;
    const kept = forgotten + received - events;
    const end = endOf(eventEnds, kept);
    if (kept > forgotten)
      this.#texts.push({ text: text.slice(0, end), eventEnds: eventEnds.slice(0, kept), forgotten });
    const frames = [split, ...later].flatMap((sent) => framesOf(sent, sent === split ? kept : 0));
    for (const frame of frames) this.#length -= frame.text.length;
    return frames;
  }

  /** Removes all frames, when the stream has ended. */
  clear(): void {
    this.#texts = [];
    this.#done = 0;
    this.#length = 0;
  }

  #forget(maxLength: number): void {
    while (this.#length > maxLength) {
      const sent = this.#texts[this.#done] as SentText;
      const { text, eventEnds, forgotten } = sent;
      const isEvent = forgotten < eventEnds.length;
      const end = isEvent ? endOf(eventEnds, forgotten + 1) : text.length;
      this.#length -= end - endOf(eventEnds, forgotten);
      if (isEvent) {
        sent.forgotten += 1;
        this.#forgotten += 1;
      }
      if (end !== text.length) continue;
      this.#texts[this.#done] = nothing;
      this.#done += 1;
    }
    if (this.#done * 2 > this.#texts.length) this.#removeDone();
  }

  #removeDone(): void {
    if (this.#done > 0) this.#texts = this.#texts.slice(this.#done);
    this.#done = 0;
  }
}

/** The position after the first `count` events of a text. */
function endOf(eventEnds: readonly number[], count: number): number {
  return count === 0 ? 0 : (eventEnds[count - 1] as number);
}

/** Returns the frames of a text without its first `skipped` events. A frame contains the comments before its event. */
function framesOf({ text, eventEnds }: SentText, skipped: number): Frame[] {
  let from = endOf(eventEnds, skipped);
  const frames = eventEnds.slice(skipped).map((end): Frame => {
    const frame = { text: text.slice(from, end), isEvent: true };
    from = end;
    return frame;
  });
  if (from < text.length) frames.push({ text: text.slice(from), isEvent: false });
  return frames;
}
