import { BEFORE_FIRST_EVENT } from "../wire/header-names.js";
import { utf8Length } from "../wire/message-text.js";
import { KEEP_ALIVE_COMMENT } from "../wire/sse-writer.js";
import { type Frame, SentFrames } from "./sent-frames.js";

/**
 * The owner of an {@link EventStream}: a connection or the response to one POST. The stream calls its owner when the
 * size of its queue changes, or when a reader connects or disconnects.
 */
export interface EventStreamOwner {
  /** Reports that the number of queued bytes has changed by `difference`. */
  queued(difference: number): void;
  /** The stream's memory besides its queue has changed by `difference` bytes. Returns whether it may keep more. */
  kept(difference: number): boolean;
  /** Reports that the client opened the stream, or that its reader has disconnected. */
  readerChanged(): void;
}

/** A frame with its size. */
interface QueuedFrame extends Frame {
  readonly bytes: number;
}

/** The memory of a stream without frames, in bytes. */
const STREAM_BYTES = 2_048;

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

/**
 * One event stream of a connection: a queue of messages that survives the loss of its reader. A stream has one reader
 * at a time.
 *
 * The stream keeps up to `maxKept` characters of sent frames. A client that opens the stream again sends the id of the
 * last event that it has received, and receives the later events.
 */
export class EventStream {
  readonly #owner: EventStreamOwner;
  /** The prefix of this stream's event ids. `undefined` if no client can open the stream again. */
  readonly #epoch: string | undefined;
  readonly #sent: SentFrames;
  /** The queued frames. The ones before the index `#next` are sent. */
  #frames: QueuedFrame[] = [];
  #next = 0;
  #waitingBytes = 0;
  #reader: EventReader | undefined;
  /**
   * - `open`: frames can be appended.
   * - `ended`: no frame can be appended. A client can still read the rest, also after its connection was lost.
   * - `destroyed`: the frames are dropped.
   */
  #state: "open" | "ended" | "destroyed" = "open";
  /**
   * The time of the last progress, from which the time limits count: the reader took frames, a reader connected or
   * disconnected, or a frame was appended to the empty queue.
   */
  #since: number = now();
  /** Whether the reader has taken frames that are not written to the socket yet. */
  #isWriting = false;
  #whenWritten: (() => void)[] = [];
  #events = 0;

  /**
   * @param maxKept the number of sent characters that the stream keeps for a client that opens it again; `undefined` if
   * no client can open it again.
   */
  constructor(owner: EventStreamOwner, maxKept?: number) {
    this.#owner = owner;
    this.#sent = new SentFrames(maxKept ?? 0);
    this.#epoch = maxKept === undefined ? undefined : newEpoch();
    owner.kept(STREAM_BYTES);
  }

  get hasReader(): boolean {
    return this.#reader !== undefined;
  }

  /** Whether no frame is queued. */
  get isEmpty(): boolean {
    return this.#next === this.#frames.length;
  }

  /** The number of queued bytes. */
  get waiting(): number {
    return this.#waitingBytes;
  }

  /** Appends an event. */
  push(text: string): void {
    this.#events += 1;
    const id = this.#epoch === undefined ? "" : `id: ${this.#epoch}.${this.#events}\n`;
    this.#append({ text: id + text, isEvent: true });
  }

  /**
   * Calls `action` when all frames are written to the client's socket, immediately if they already are. Also calls
   * `action` when the stream is destroyed or loses its reader.
   */
  whenWritten(action: () => void): void {
    if (this.isEmpty && !this.#isWriting) action();
    else this.#whenWritten.push(action);
  }

  /**
   * Opens the stream for a reader. `lastId` is the id of the last event that the client has received. With `lastId`,
   * the stream sends the later frames again, and replaces an earlier reader: its socket has broken, and the server has
   * not noticed it.
   */
  open(lastId: string | undefined): OpenedStream {
    const received = lastId === undefined ? undefined : this.#numberOf(lastId);
    if (this.#state === "destroyed" || received === "foreign") return { is: "expired" };
    if (received !== undefined) {
      if (!this.#rewind(received)) return { is: "expired" };
      this.#reader?.close();
    } else if (this.#state === "ended") {
      return { is: "expired" };
    } else if (this.#reader !== undefined) {
      return { is: "busy" };
    }
    return { is: "open", reader: this.openFirst() };
  }

  /** Opens a stream for its first reader. */
  openFirst(): EventReader {
    const reader = new EventReader({
      take: (maxLength) => this.#take(maxLength),
      isEnded: () => this.#state !== "open" && this.isEmpty,
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
    if (this.#state !== "open") return;
    this.#state = "ended";
    this.#reader?.wake();
  }

  /** Drops queued frames and releases the reader. */
  destroy(): void {
    if (this.#state !== "destroyed") this.#owner.kept(-STREAM_BYTES - this.#sent.length);
    this.#state = "destroyed";
    this.#owner.queued(-this.#waitingBytes);
    this.#waitingBytes = 0;
    this.#frames = [];
    this.#next = 0;
    this.#sent.clear();
    this.#runWhenWritten();
    this.#reader?.wake();
  }

  /** Whether frames are queued, and the reader has not taken one for `ms` milliseconds. */
  isStalled(ms: number): boolean {
    return !this.isEmpty && now() - this.#since >= ms;
  }

  /** Whether the stream had no reader for `ms` milliseconds. */
  isAbandoned(ms: number): boolean {
    return this.#reader === undefined && now() - this.#since >= ms;
  }

  /** Appends a comment if the stream was quiet for `ms` milliseconds. */
  keepAlive(ms: number): void {
    if (this.#reader === undefined || !this.isEmpty || now() - this.#since < ms) return;
    this.#append({ text: KEEP_ALIVE_COMMENT, isEvent: false });
  }

  #numberOf(eventId: string): number | "foreign" {
    if (eventId === BEFORE_FIRST_EVENT) return 0;
    const [, epoch, number] = EVENT_ID.exec(eventId) ?? [];
    return epoch !== undefined && epoch === this.#epoch ? Number(number) : "foreign";
  }

  #append(frame: Frame): void {
    if (this.#state !== "open") return;
    if (this.isEmpty) this.#since = now();
    const bytes = utf8Length(frame.text);
    this.#frames.push({ ...frame, bytes });
    this.#queuedChanged(bytes);
    this.#reader?.wake();
  }

  #take(maxLength: number): string | undefined {
    if (this.isEmpty) return undefined;
    this.#since = now();
    let text = "";
    let bytes = 0;
    const eventEnds: number[] = [];
    while (this.#next < this.#frames.length && (text === "" || text.length < maxLength)) {
      const frame = this.#frames[this.#next] as QueuedFrame;
      text += frame.text;
      bytes += frame.bytes;
      if (frame.isEvent) eventEnds.push(text.length);
      this.#next += 1;
    }
    if (this.#next * 2 > this.#frames.length) {
      this.#frames = this.#frames.slice(this.#next);
      this.#next = 0;
    }
    this.#queuedChanged(-bytes);
    const before = this.#sent.length;
    this.#sent.add(text, eventEnds, this.#owner.kept(0));
    if (this.#sent.length !== before) this.#owner.kept(this.#sent.length - before);
    this.#isWriting = true;
    return text;
  }

  #written(reader: EventReader): void {
    if (this.#reader !== reader) return;
    this.#isWriting = false;
    if (this.isEmpty && this.#whenWritten.length > 0) this.#runWhenWritten();
  }

  #rewind(received: number): boolean {
    const before = this.#sent.length;
    const frames = this.#sent.takeAfter(received);
    if (frames === undefined) return false;
    this.#owner.kept(this.#sent.length - before);
    const again = frames.map((frame) => ({ ...frame, bytes: utf8Length(frame.text) }));
    this.#frames = [...again, ...this.#frames.slice(this.#next)];
    this.#next = 0;
    for (const { bytes } of again) this.#queuedChanged(bytes);
    return true;
  }

  #queuedChanged(difference: number): void {
    this.#waitingBytes += difference;
    this.#owner.queued(difference);
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

  /** The oldest text that {@link take} returned was written to the socket. The function is bound. */
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
