import { KEEP_ALIVE_COMMENT } from "../wire/sse-writer.js";

/**
 * The owner of an {@link EventStream}: a connection or the response to one POST. The stream calls its owner when the size of its queue
 * changes, or when a reader connects or disconnects.
 */
export interface EventStreamOwner {
  /** Reports that the number of queued characters has changed by `difference`. */
  queued(difference: number): void;
  /** Reports that the client opened the stream, or that its reader has disconnected. */
  readerChanged(): void;
}

/** The options that determine whether and how a client can continue an {@link EventStream} after its connection was lost. */
export interface EventStreamOptions {
  /** The number of sent characters that the stream keeps for a client that opens it again. Default 0. */
  readonly maxKept?: number;
  /** Whether events have ids. Default `false`. */
  readonly hasIds?: boolean;
}

const EVENT_ID = /^([0-9a-f]{16})\.(\d{1,15})$/;

function newEpoch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The result of opening an {@link EventStream}. */
export type OpenedStream =
  | { readonly is: "open"; readonly reader: EventReader }
  /** Another reader has the stream open. */
  | { readonly is: "busy" }
  /** The stream no longer has all events after the last event that the client received. */
  | { readonly is: "expired" };

/** An event or a comment. Only events are numbered. */
interface Frame {
  readonly text: string;
  readonly isEvent: boolean;
}

/**
 * One event stream of a connection: a queue of messages that survives the loss of its reader. A stream has one reader
 * at a time.
 *
 * The stream keeps up to `maxKept` characters of sent frames. A client that opens the stream again sends the number of
 * events that it has received, and receives the later events.
 */
export class EventStream {
  readonly #owner: EventStreamOwner;
  readonly #maxKept: number;
  /** The prefix of this stream's event ids. An id with another prefix belongs to another stream. `undefined` without ids. */
  readonly #epoch: string | undefined;
  /** The sent frames that are kept, followed by the queued frames, which start at the index `#next`. */
  #frames: Frame[] = [];
  #next = 0;
  #waitingLength = 0;
  #keptLength = 0;
  /** The number of events before `#frames[0]`. */
  #forgottenEvents = 0;
  #reader: EventReader | undefined;
  #ended = false;
  /**
   * The time of the last progress, from which the time limits count: the reader took frames, a reader connected or disconnected, or a frame was appended
   * to the empty queue.
   */
  #since: number = now();
  /** Whether the reader has taken frames that are not written to the socket yet. */
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

  /** Whether no frame is queued. */
  get isEmpty(): boolean {
    return this.#next === this.#frames.length;
  }

  /** The number of events that were appended since the stream was created. */
  get events(): number {
    return this.#events;
  }

  /** The number of queued characters. */
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
   * Calls `action` when all frames are written to the client's socket, immediately if they already are. Also calls `action` when the stream is
   * destroyed or loses its reader.
   */
  whenWritten(action: () => void): void {
    if (this.isEmpty && !this.#isWriting) action();
    else this.#whenWritten.push(action);
  }

  /**
   * Opens the stream for a reader. `last` is the number of events that the client has received, or the id of the last received event. With `last`, the stream sends
   * the later frames again, and replaces an earlier reader: its socket has broken, and the server has not noticed it.
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

  /** Opens a stream for its first reader. */
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

  /** Ends the stream after its queued frames. */
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

  /** Whether frames are queued, and the reader has not taken one for `ms` milliseconds. */
  isStalled(ms: number): boolean {
    return !this.isEmpty && now() - this.#since >= ms;
  }

  /** Appends a comment if the stream was quiet for `ms` milliseconds. */
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

  /** Removes the oldest sent frames if there are more than `maxKept` characters. */
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
      if (index >= this.#next) return false; // the client counted more events than this stream has sent
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
    this.#runWhenWritten(); // without a reader, the queued frames will not be written
    this.#owner.readerChanged();
  }

  #runWhenWritten(): void {
    const actions = this.#whenWritten;
    this.#whenWritten = [];
    for (const action of actions) action();
  }
}

/** The functions of an {@link EventStream} that its {@link EventReader} calls. */
export interface EventSourceState {
  take(maxLength: number): string | undefined;
  isEnded(): boolean;
  written(reader: EventReader): void;
  gone(reader: EventReader): void;
}

/** Reads an event stream for the body of a response. */
export class EventReader {
  readonly #source: EventSourceState;
  #wake: (() => void) | undefined;
  #scheduled = false;
  #closed = false;
  /** The number of texts that {@link take} returned and that are not written to the socket yet. */
  #writing = 0;

  /** @internal `EventStream.open` creates readers. */
  constructor(source: EventSourceState) {
    this.#source = source;
  }

  /** Whether no more text will follow, so that the response can end. */
  get ended(): boolean {
    return this.#closed || this.#source.isEnded();
  }

  /** Takes queued text, up to about `maxLength` characters; `undefined` if none is queued. */
  take(maxLength: number = CHUNK_LENGTH): string | undefined {
    const text = this.#closed ? undefined : this.#source.take(maxLength);
    if (text !== undefined) this.#writing += 1;
    return text;
  }

  /** Reports that the oldest text that {@link take} returned was written to the socket. You can use the function as a callback, without its object. */
  readonly written = (): void => {
    this.#writing -= 1;
    if (this.#writing === 0) this.#source.written(this);
  };

  /** Calls `action` when text is queued or the stream has ended. Several messages of one tick cause one call. */
  onWake(action: () => void): void {
    this.#wake = action;
  }

  /** Ends the reader, because the response has ended or is not needed. You may call it more than once. */
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

/** When the text of one write has this number of characters, no further frame is added to it. */
const CHUNK_LENGTH = 65_536;

function now(): number {
  return performance.now();
}
