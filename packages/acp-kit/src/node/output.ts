import type { Writable } from "node:stream";
import { type Colours, createColours, wantsColours } from "./colours.js";

/** A stream that may be a terminal. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  getWindowSize?(): [columns: number, rows: number];
};

/**
 * Where a command writes: standard output for its result and nothing else, standard error for everything else.
 *
 * A reader that goes away (`acp-kit … | head -1`) is no error: what is written after that goes nowhere, and {@link readerGone} aborts.
 */
export class Output {
  readonly isTerminal: boolean;
  readonly colours: Colours;
  readonly #stream: OutputStream;
  readonly #gone = new AbortController();
  #midLine = false;

  constructor(stream: OutputStream, env: Readonly<Record<string, string | undefined>>) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    this.colours = createColours(wantsColours(this.isTerminal, env));
    // EPIPE on POSIX, EOF on Windows, a destroyed socket: whatever it is, nobody reads any more.
    stream.on("error", (error) => this.#gone.abort(error));
  }

  /** Aborts when nobody reads any more. */
  get readerGone(): AbortSignal {
    return this.#gone.signal;
  }

  /** How wide lines may be. */
  get columns(): number {
    return this.#size()?.[0] ?? this.#stream.columns ?? 80;
  }

  /** How many lines are seen at once. */
  get rows(): number {
    return this.#size()?.[1] ?? this.#stream.rows ?? 24;
  }

  /** The size at this moment: the stream's own members change when the signal comes, after the terminal has moved its lines. */
  #size(): readonly [columns: number, rows: number] | undefined {
    try {
      return this.#stream.getWindowSize?.();
    } catch {
      return undefined; // the terminal has gone
    }
  }

  /** Hears that {@link columns} or {@link rows} have changed. Returns how to stop. */
  onResize(listener: () => void): () => void {
    this.#stream.on("resize", listener);
    return () => void this.#stream.off("resize", listener);
  }

  /** The last thing written was no whole line. */
  get isMidLine(): boolean {
    return this.#midLine;
  }

  /** Says that something else has ended the line: another stream, on the same terminal. */
  lineEnded(): void {
    this.#midLine = false;
  }

  /** Writes text as it is. */
  write(text: string): void {
    if (text !== "") this.#midLine = !text.endsWith("\n");
    if (!this.#gone.signal.aborted && !this.#stream.writableEnded) this.#stream.write(text);
  }

  /** Writes a line. */
  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** Nothing while the reader keeps up, else a promise that it has caught up, or gone. */
  get full(): Promise<void> | undefined {
    if (!this.#stream.writableNeedDrain || this.#gone.signal.aborted) return undefined;
    return new Promise((resolve) => {
      const { signal } = this.#gone;
      const done = (): void => {
        this.#stream.off("drain", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#stream.once("drain", done);
      signal.addEventListener("abort", done);
    });
  }

  /** Resolves when all that was written has left this process, or never will. */
  flush(): Promise<void> {
    if (this.#gone.signal.aborted || this.#stream.writableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#gone.signal.addEventListener("abort", () => resolve(), { once: true });
      this.#stream.write("", () => resolve());
    });
  }
}
