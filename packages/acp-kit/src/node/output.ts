import type { Writable } from "node:stream";
import { type Colours, createColours, wantsColours } from "./colours.js";

/** A stream that may be a terminal. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  getWindowSize?(): [columns: number, rows: number];
};

/** The codes of errors when the reader has closed the pipe: EPIPE on POSIX, EOF on Windows, or a destroyed socket. */
const readerGone: ReadonlySet<string | undefined> = new Set(["EPIPE", "EOF", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/**
 * An output stream of a command: standard output for its result only, standard error for everything else.
 *
 * A pipe that the reader closes (`acp-kit … | head -1`) is not an error: later output is discarded, and {@link closed}
 * aborts. Any other failure of a write, such as a full disk, loses a part of the result: {@link failure} is then the
 * error.
 */
export class Output {
  readonly isTerminal: boolean;
  readonly colours: Colours;
  readonly #stream: OutputStream;
  readonly #closed = new AbortController();
  #failure: Error | undefined;
  #midLine = false;

  constructor(stream: OutputStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    this.colours = createColours(wantsColours(this.isTerminal, env));
    stream.on("error", this.#written);
  }

  /** Aborts when no more output can be written: the reader has closed the pipe, or a write has failed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** The error if a write has failed for another reason than a closed pipe. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Only the first error counts: it destroys the stream, and later writes fail because of that. */
  readonly #written = (error?: (Error & { readonly code?: string }) | null): void => {
    if (!error || this.#closed.signal.aborted) return;
    if (!readerGone.has(error.code)) this.#failure = error;
    this.#closed.abort(error);
  };

  /** Maximum width of a line. Some programs start a terminal without a size; its size is then 0. */
  get columns(): number {
    return this.#size()?.[0] || this.#stream.columns || 80;
  }

  /** Number of visible lines. */
  get rows(): number {
    return this.#size()?.[1] || this.#stream.rows || 24;
  }

  /**
   * Asks the terminal for its current size. The stream's members `columns` and `rows` can be out of date: Node updates
   * them only on the signal `SIGWINCH`, when the terminal has already wrapped its lines.
   */
  #size(): readonly [columns: number, rows: number] | undefined {
    try {
      return this.#stream.getWindowSize?.();
    } catch {
      return undefined; // the terminal no longer exists
    }
  }

  /** Calls the listener when {@link columns} or {@link rows} change. Returns a function that unsubscribes. */
  onResize(listener: () => void): () => void {
    this.#stream.on("resize", listener);
    return () => void this.#stream.off("resize", listener);
  }

  /** Whether the last write didn't end its line. */
  get isMidLine(): boolean {
    return this.#midLine;
  }

  /** Called when another stream on the same terminal has ended the line. */
  lineEnded(): void {
    this.#midLine = false;
  }

  /** Writes text unchanged. */
  write(text: string): void {
    if (text !== "") this.#midLine = !text.endsWith("\n");
    if (!this.#closed.signal.aborted && !this.#stream.writableEnded) this.#stream.write(text, this.#written);
  }

  /** Writes a line. */
  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** A promise until a slow reader has read enough or closed the pipe; otherwise `undefined`. */
  get full(): Promise<void> | undefined {
    if (!this.#stream.writableNeedDrain || this.#closed.signal.aborted) return undefined;
    return new Promise((resolve) => {
      const { signal } = this.#closed;
      const done = (): void => {
        this.#stream.off("drain", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#stream.once("drain", done);
      signal.addEventListener("abort", done);
    });
  }

  /** Resolves when all output is written, or can't be written any more. */
  flush(): Promise<void> {
    if (this.#closed.signal.aborted || this.#stream.writableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed.signal.addEventListener("abort", () => resolve(), { once: true });
      this.#stream.write("", (error) => {
        this.#written(error);
        resolve();
      });
    });
  }
}
