import { KEEP_ALIVE_COMMENT } from "../wire/sse-writer.js";

/** What an {@link EventStream} reports to its connection. */
export interface EventStreamOwner {
  /** The bytes that wait in it have changed by `difference`. */
  queued(difference: number): void;
  /** The client opened the stream, or its reader has gone. */
  readerChanged(): void;
}

/** What an {@link EventStream} offers to a client that opens it again. */
export interface EventStreamOptions {
  /** Characters that are kept behind the reader. Default 0. */
  readonly maxKept?: number;
  /** Whether events have ids. Default `false`. */
  readonly hasIds?: boolean;
}

const EVENT_ID = /^([0-9a-f]{16})\.(\d{1,15})$/;

function newEpoch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How an {@link EventStream} is opened. */
export type OpenedStream =
  | { readonly is: "open"; readonly reader: EventReader }
  /** Another reader has it. */
  | { readonly is: "busy" }
  /** Events behind the last that the client received are not kept any more. */
  | { readonly is: "expired" };

/** A piece of the stream. A comment takes no number. */
interface Frame {
  readonly text: string;
  readonly isEvent: boolean;
}

/**
 * One stream of events of a connection: a queue of messages that survives the loss of its reader. It has one reader at a time.
 *
 * Frames that a reader took are kept up to `maxKept` characters for a client that opens the stream again with the number of events it has received.
 */
export class EventStream {
  readonly #owner: EventStreamOwner;
  readonly #maxKept: number;
  /** Begins the ids of events, so that an id of another stream is noticed; `undefined` without ids. */
  readonly #epoch: string | undefined;
  /** Waiting frames from {@link #next} on; before it those that were taken and are kept. */
  #frames: Frame[] = [];
  #next = 0;
  #waitingLength = 0;
  #keptLength = 0;
  /** The number of events before `#frames[0]`. */
  #forgottenEvents = 0;
  #reader: EventReader | undefined;
  #ended = false;
  /** Since when frames wait without any being taken, or the last sign of its reader. For the limits of time. */
  #since: number = now();
  /** The reader has taken frames that have not left for the client. */
  #isWriting = false;
  #whenWritten: (() => void)[] = [];
  #events = 0;

  constructor(owner: EventStreamOwner, { maxKept = 0, hasIds = false }: EventStreamOptions = {}) {
    this.#owner = owner;
    this.#maxKept = maxKept;
    this.#epoch = hasIds ? newEpoch() : undefined;
  }

  get hasReader(): boolean {
    return this.#reader !== undefined;
  }

  /** Nothing waits. */
  get isEmpty(): boolean {
    return this.#next === this.#frames.length;
  }

  /** The number of events that were ever appended. */
  get events(): number {
    return this.#events;
  }

  /** The characters that wait. */
  get waiting(): number {
    return this.#waitingLength;
  }

  /** Appends an event. */
  push(text: string): void {
    this.#events += 1;
    const id = this.#epoch === undefined ? "" : `id: ${this.#epoch}.${this.#events}\n`;
    this.#append({ text: id + text, isEvent: true });
  }

  /** Appends a comment. */
  pushComment(text: string): void {
    this.#append({ text, isEvent: false });
  }

  /**
   * Calls `action` once everything has been written to the client's socket: at once when that is so, and when the stream is dropped or its
   * reader goes.
   */
  whenWritten(action: () => void): void {
    if (this.isEmpty && !this.#isWriting) action();
    else this.#whenWritten.push(action);
  }

  /**
   * Opens the stream for a reader. With `last`, the number of events that the client has received in total or the id of the last, frames behind it are
   * sent again, and an earlier reader is replaced: its connection broke without this side noticing.
   */
  open(last: number | string | undefined): OpenedStream {
    const received = typeof last === "string" ? this.#numberOf(last) : last;
    if (this.#ended || received === "foreign") return { is: "expired" };
    if (received !== undefined) {
      if (!this.#rewind(received)) return { is: "expired" };
      this.#reader?.close();
    } else if (this.#reader !== undefined) {
      return { is: "busy" };
    }
    return { is: "open", reader: this.openFirst() };
  }

  /** Opens a stream that was never open: without a look at other readers. */
  openFirst(): EventReader {
    const reader = new EventReader({
      take: (maxLength) => this.#take(maxLength),
      isEnded: () => this.#ended && this.isEmpty,
      written: (which) => this.#written(which),
      gone: (which) => this.#gone(which),
    });
    this.#reader = reader;
    this.#since = now();
    this.#owner.readerChanged();
    if (!this.isEmpty) reader.wake();
    return reader;
  }

  /** Ends the stream behind its queued frames. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader?.wake();
  }

  /** Drops queued frames and releases the reader. */
  destroy(): void {
    this.#ended = true;
    this.#owner.queued(-this.#waitingLength);
    this.#waitingLength = 0;
    this.#frames = [];
    this.#next = 0;
    this.#runWhenWritten();
    this.#reader?.wake();
  }

  /** Frames wait and none was taken for `ms`. */
  isStalled(ms: number): boolean {
    return !this.isEmpty && now() - this.#since >= ms;
  }

  /** Writes a comment when the stream has been quiet for `ms`. */
  keepAlive(ms: number): void {
    if (this.#reader === undefined || !this.isEmpty || now() - this.#since < ms) return;
    this.pushComment(KEEP_ALIVE_COMMENT);
  }

  #numberOf(eventId: string): number | "foreign" {
    const [, epoch, number] = EVENT_ID.exec(eventId) ?? [];
    return epoch !== undefined && epoch === this.#epoch ? Number(number) : "foreign";
  }

  #append(frame: Frame): void {
    if (this.#ended) return;
    if (this.isEmpty) this.#since = now();
    this.#frames.push(frame);
    this.#waitingLength += frame.text.length;
    this.#owner.queued(frame.text.length);
    this.#reader?.wake();
  }

  #take(maxLength: number): string | undefined {
    if (this.isEmpty) return undefined;
    this.#since = now();
    let text = "";
    while (this.#next < this.#frames.length && (text === "" || text.length < maxLength)) {
      text += (this.#frames[this.#next] as Frame).text;
      this.#next += 1;
    }
    this.#waitingLength -= text.length;
    this.#keptLength += text.length;
    this.#forget();
    this.#owner.queued(-text.length);
    this.#isWriting = true;
    return text;
  }

  #written(reader: EventReader): void {
    if (this.#reader !== reader) return;
    this.#isWriting = false;
    if (this.isEmpty && this.#whenWritten.length > 0) this.#runWhenWritten();
  }

  /** Lets go of taken frames beyond the limit. */
  #forget(): void {
    let count = 0;
    while (count < this.#next && this.#keptLength > this.#maxKept) {
      const { text, isEvent } = this.#frames[count] as Frame;
      this.#keptLength -= text.length;
      if (isEvent) this.#forgottenEvents += 1;
      count += 1;
    }
    if (count === 0) return;
    this.#frames = count === this.#frames.length ? [] : this.#frames.slice(count);
    this.#next -= count;
  }

  #rewind(received: number): boolean {
    let events = this.#forgottenEvents;
    if (received < events) return false;
    let index = 0;
    while (events < received) {
      if (index >= this.#next) return false; // more than was ever sent: the client counts another stream
      if ((this.#frames[index] as Frame).isEvent) events += 1;
      index += 1;
    }
    for (; this.#next > index; this.#next -= 1) {
      const { length } = (this.#frames[this.#next - 1] as Frame).text;
      this.#waitingLength += length;
      this.#keptLength -= length;
      this.#owner.queued(length);
    }
    return true;
  }

  #gone(reader: EventReader): void {
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    this.#since = now();
    this.#isWriting = false;
    this.#runWhenWritten(); // nothing empties it any more
    this.#owner.readerChanged();
  }

  #runWhenWritten(): void {
    const actions = this.#whenWritten;
    this.#whenWritten = [];
    for (const action of actions) action();
  }
}

/** What an {@link EventReader} reads from. */
export interface EventSourceState {
  take(maxLength: number): string | undefined;
  isEnded(): boolean;
  written(reader: EventReader): void;
  gone(reader: EventReader): void;
}

/** Reads a stream of events: the body of a response. */
export class EventReader {
  readonly #source: EventSourceState;
  #wake: (() => void) | undefined;
  #scheduled = false;
  #closed = false;
  /** Pieces that were taken and not reported as written. */
  #writing = 0;

  /** @internal Made by `EventStream.open`. */
  constructor(source: EventSourceState) {
    this.#source = source;
  }

  /** Nothing will come any more: the response ends. */
  get ended(): boolean {
    return this.#closed || this.#source.isEnded();
  }

  /** The queued text, up to about `maxLength` characters; `undefined` when nothing does. */
  take(maxLength: number = CHUNK_LENGTH): string | undefined {
    const text = this.#closed ? undefined : this.#source.take(maxLength);
    if (text !== undefined) this.#writing += 1;
    return text;
  }

  /** The piece that was taken longest ago has left for the client. Bound, to be a callback of a write. */
  readonly written = (): void => {
    this.#writing -= 1;
    if (this.#writing === 0) this.#source.written(this);
  };

  /** Calls `action` when there is something to take, or the end has come. Messages of one tick wake it once. */
  onWake(action: () => void): void {
    this.#wake = action;
  }

  /** The response has gone, or is not needed any more. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#source.gone(this);
    this.wake();
  }

  /** @internal */
  wake(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#wake?.();
    });
  }
}

/** What one write takes. */
const CHUNK_LENGTH = 65_536;

function now(): number {
  return performance.now();
}
