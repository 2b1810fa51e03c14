import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { ByteStreams } from "@acp-kit/stdio";
import { joinBytes } from "../join-bytes.js";
import { otherSide, type Side } from "../wire-message.js";
import type { FaultOptions, FaultReport } from "./fault-options.js";
import type { FaultPlan, InjectedFault } from "./fault-plan.js";
import { bytesOf } from "./frame.js";
import { type FaultEnding, FaultInjector } from "./injector.js";
import type { LaneEnd } from "./lane.js";
import { LineSplitter } from "./line-splitter.js";

/** Byte streams with injected faults. {@link faultyBytes} creates them. */
export interface FaultyByteStreams extends ByteStreams, FaultReport {}

/** Options of fault injection into bytes. */
export interface FaultyBytesOptions extends FaultOptions {
  /** Called when a fault ends the connection, so that the owner of the process behind the streams can end it. */
  readonly onEnding?: (ending: FaultEnding) => void;
}

/**
 * Injects faults between two web streams of newline-framed bytes and the code that reads and writes them. Each line
 * counts as a message of the plan; a line without a fault is forwarded unchanged. The reader gets every line as a
 * separate chunk, unless faults split or merge lines.
 *
 * A fault that ends the connection closes the readable stream and drops further writes; a fault that breaks it puts
 * both streams into an error state.
 *
 * @throws {TypeError} when the plan has an unknown fault or an invalid amount.
 */
export function faultyBytes(
  streams: ByteStreams,
  plan: FaultPlan,
  options: FaultyBytesOptions = {},
): FaultyByteStreams {
  checkOptions("faultyBytes", options, optionKinds);
  return new FaultyBytes(streams, plan, options);
}

const optionKinds: OptionKinds<FaultyBytesOptions> = {
  onEnding: "function",
  seed: "value",
  peer: ["client", "agent"],
  clock: "value",
  onFault: "function",
};

class Gate {
  #open: Promise<void> = Promise.resolve();
  #resolve: () => void = () => {};

  get opened(): Promise<void> {
    return this.#open;
  }

  block(blocked: boolean): void {
    this.#resolve();
    if (!blocked) return;
    this.#open = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

class FaultyBytes implements FaultyByteStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly #peer: Side;
  readonly #us: Side;
  readonly #injector: FaultInjector;
  readonly #onEnding: ((ending: FaultEnding) => void) | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #arriving = new Gate();
  readonly #leaving = new Gate();
  /** The gate that is closed while the reader's buffer is full. */
  readonly #wanted = new Gate();
  #input: ReadableStreamDefaultController<Uint8Array> | undefined;
  #output: WritableStreamDefaultController | undefined;
  #over = false;

  constructor(streams: ByteStreams, plan: FaultPlan, options: FaultyBytesOptions) {
    this.#peer = options.peer ?? "agent";
    this.#us = otherSide(this.#peer);
    this.#onEnding = options.onEnding;
    this.#reader = streams.readable.getReader();
    this.#writer = streams.writable.getWriter();
    this.#writer.closed.catch(() => {}); // a failed write reports the error
    const ends = {
      [this.#peer]: laneEnd(this.#arriving, (bytes) => this.#input?.enqueue(bytes)),
      [this.#us]: laneEnd(this.#leaving, (bytes) => void this.#writer.write(bytes).catch(() => {})),
    } as Record<Side, LaneEnd>;
    this.#injector = new FaultInjector(plan, options, {
      lanes: ends,
      endOutput: (from) => (from === this.#peer ? this.#endInput() : void this.#writer.close().catch(() => {})),
      end: (ending) => this.#end(ending),
      canWriteText: () => true,
    });
    this.readable = this.#makeReadable();
    this.writable = this.#makeWritable();
  }

  get seed(): number | string {
    return this.#injector.seed;
  }

  get injected(): readonly InjectedFault[] {
    return this.#injector.injected;
  }

  describe(): string {
    return this.#injector.describe();
  }

  #makeReadable(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#input = controller;
        void this.#readAll();
      },
      pull: () => this.#wanted.block(false),
      cancel: async (reason) => {
        this.#input = undefined;
        this.#wanted.block(false);
        await this.#reader.cancel(reason);
      },
    });
  }

  /**
   * Reads the whole input, but pauses while the reader's buffer is full. It does not read one line for each call of
   * `pull`: a fault can drop or hold back this line, and then the call would deliver nothing.
   */
  async #readAll(): Promise<void> {
    const lines = new LineSplitter();
    try {
      for (;;) {
        await this.#arriving.opened;
        if ((this.#input?.desiredSize ?? 1) <= 0) {
          this.#wanted.block(true);
          await this.#wanted.opened;
        }
        const { done, value } = await this.#reader.read();
        if (this.#over) return;
        if (done) break;
        for (const line of lines.push(value)) this.#injector.pass(this.#peer, line);
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    for (const rest of lines.end()) this.#injector.pass(this.#peer, rest);
    this.#injector.inOrder(this.#peer, () => this.#endInput());
  }

  /** Called when one of the original streams has failed, and not because of a fault. */
  #fail(error: unknown): void {
    if (this.#over) return;
    this.#injector.flush(this.#peer);
    this.#injector.stop();
    this.#over = true;
    this.#input?.error(error);
    this.#input = undefined;
  }

  #makeWritable(): WritableStream<Uint8Array> {
    const lines = new LineSplitter();
    return new WritableStream<Uint8Array>({
      start: (controller) => {
        this.#output = controller;
      },
      write: async (chunk) => {
        if (this.#over) return;
        for (const line of lines.push(chunk)) this.#injector.pass(this.#us, line);
        await this.#leaving.opened;
        await this.#writer.ready.catch(() => {});
      },
      close: async () => {
        const rest = lines.end();
        if (!this.#over) for (const line of rest) this.#injector.pass(this.#us, line);
        this.#injector.flush(this.#us);
        await this.#writer.close().catch(() => {});
      },
      abort: async (reason) => {
        this.#injector.stop();
        await this.#writer.abort(reason).catch(() => {});
      },
    });
  }

  #endInput(): void {
    this.#input?.close();
    this.#input = undefined;
  }

  #end(ending: FaultEnding): void {
    if (this.#over) return;
    this.#over = true;
    this.#arriving.block(false);
    this.#wanted.block(false);
    this.#leaving.block(false);
    if (ending.how === "ends") {
      this.#endInput();
      void this.#writer.close().catch(() => {});
    } else {
      this.#input?.error(ending.error);
      this.#input = undefined;
      this.#output?.error(ending.error);
      void this.#writer.abort(ending.error).catch(() => {});
    }
    void this.#reader.cancel(ending.error).catch(() => {});
    this.#onEnding?.(ending);
  }
}

function laneEnd(gate: Gate, write: (bytes: Uint8Array) => void): LaneEnd {
  return {
    deliver: (frames) => write(joinBytes(frames.map(bytesOf))),
    piece: (frame, start, end) => {
      if (end > start) write(bytesOf(frame).subarray(start, end));
    },
    blocked: (blocked) => gate.block(blocked),
  };
}
