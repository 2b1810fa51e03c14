import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { isRawTransport } from "../raw-transport.js";
import { utf8Length } from "../utf8-length.js";
import { otherSide, type Side } from "../wire-message.js";
import type { FaultOptions, FaultReport } from "./fault-options.js";
import type { FaultPlan, InjectedFault } from "./fault-plan.js";
import { bytesOf, type Frame, lineFrame, valueFrame } from "./frame.js";
import { type FaultEnding, FaultInjector } from "./injector.js";
import type { LaneEnd } from "./lane.js";

/** A transport with injected faults. {@link faulty} creates it. */
export interface FaultyTransport extends Transport, FaultReport {}

/**
 * Injects faults between a connection and its transport, in both directions, by a plan.
 *
 * For the receiver, a fault looks the same as on a real byte stream: garbage arrives as malformed input, and a cut
 * connection as an incomplete line followed by the end of the input. Garbage in sent messages, and half-closing, need a
 * `RawTransport`; over other transports these faults are skipped.
 *
 * @throws {TypeError} when the plan has an unknown fault or an invalid amount.
 * @example const transport = faulty(agent.transport, [{ fault: "drop", method: "session/update", chance: 0.5 }], {
 * seed: 7 }); // … when the test fails: transport.describe()
 */
export function faulty(transport: Transport, plan: FaultPlan, options: FaultOptions = {}): FaultyTransport {
  checkOptions("faulty", options, optionKinds);
  return new Faulty(transport, plan, options);
}

const optionKinds: OptionKinds<FaultOptions> = {
  seed: "value",
  peer: ["client", "agent"],
  clock: "value",
  onFault: "function",
};

class Faulty implements FaultyTransport {
  readonly #inner: Transport;
  readonly #peer: Side;
  readonly #us: Side;
  readonly #injector: FaultInjector;
  #receiver: TransportReceiver | undefined;
  /** A frame of which only the first bytes have arrived. */
  #torn: { readonly frame: Frame; readonly end: number } | undefined;
  #inputEnded = false;
  #over = false;
  #paused = false;
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  #closing: Promise<void> | undefined;

  constructor(transport: Transport, plan: FaultPlan, options: FaultOptions) {
    this.#inner = transport;
    this.#peer = options.peer ?? "agent";
    this.#us = otherSide(this.#peer);
    const ends = { [this.#peer]: this.#arriving(), [this.#us]: this.#leaving() } as Record<Side, LaneEnd>;
    this.#injector = new FaultInjector(plan, options, {
      lanes: ends,
      endOutput: (from) => this.#endOutput(from),
      end: (ending) => this.#end(ending),
      canWriteText: (from) => from === this.#peer || isRawTransport(transport),
    });
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

  get full(): Promise<void> | undefined {
    return this.#room?.promise ?? this.#inner.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    const injector = this.#injector;
    this.#inner.start({
      message: (value) => injector.pass(this.#peer, valueFrame(value)),
      malformed: (input) => injector.inOrder(this.#peer, () => receiver.malformed(input)),
      ended: () => injector.inOrder(this.#peer, () => this.#ended()),
      failed: (error) => {
        if (this.#over) return;
        injector.flush(this.#peer);
        injector.stop();
        this.#over = true;
        this.#release();
        receiver.failed(error);
      },
    });
  }

  send(message: Message): number {
    const text: string | undefined = JSON.stringify(message);
    if (text === undefined) throw new TypeError(`JSON can't represent ${typeof message}: nothing was sent`);
    if (this.#over || this.#closing !== undefined) return 0;
    this.#injector.pass(this.#us, valueFrame(JSON.parse(text), text));
    return utf8Length(text);
  }

  pause(): void {
    this.#paused = true;
    this.#inner.pause();
  }

  resume(): void {
    this.#paused = false;
    if (!this.#injector.isBlocked(this.#peer)) this.#inner.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#over) this.#injector.flush(this.#us); // sends the queued messages before the connection closes
    this.#over = true;
    this.#injector.stop();
    this.#release();
    await this.#inner.close();
  }

  #arriving(): LaneEnd {
    const receive = (frame: Frame): void => {
      if (this.#inputEnded || this.#over) return;
      if (frame.json === undefined) this.#malformed(frame.text, utf8Length(frame.text));
      else this.#receiver?.message(frame.json.value, bytesOf(frame).length - frame.end.length);
    };
    return {
      deliver: (frames) => {
        for (const frame of frames) receive(frame);
      },
      piece: (frame, _start, end, last) => {
        // The value is delivered with its last piece. If the connection ends before, the receiver gets the incomplete
        // line.
        this.#torn = last || end === 0 ? undefined : { frame, end };
        if (last) for (const part of frame.parts ?? [frame]) receive(part);
      },
      blocked: (blocked) => {
        if (blocked) this.#inner.pause();
        else if (!this.#paused) this.#inner.resume();
      },
    };
  }

  #leaving(): LaneEnd {
    const inner = this.#inner;
    const send = (frames: readonly Frame[]): void => {
      for (const frame of frames) {
        if (frame.json !== undefined) inner.send(frame.json.value as Message);
        else if (isRawTransport(inner)) inner.write(frame.text + frame.end);
      }
    };
    return {
      deliver: send,
      piece: (frame, start, end, last) => {
        if (isRawTransport(inner)) inner.write(bytesOf(frame).subarray(start, end));
        else if (last) send(frame.parts ?? [frame]);
      },
      blocked: (blocked) => {
        if (!blocked) this.#release();
        else if (this.#room === undefined) {
          let resolve = (): void => {};
          const promise = new Promise<void>((done) => {
            resolve = done;
          });
          this.#room = { promise, resolve };
        }
      },
    };
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #malformed(text: string, size: number): void {
    const message = `${size} bytes of input are not JSON and were skipped.`;
    this.#receiver?.malformed({ kind: "not_json", message, excerpt: text.slice(0, 200), size });
  }

  #ended(): void {
    if (this.#inputEnded || this.#over) return;
    this.#inputEnded = true;
    if (this.#torn !== undefined) {
      const { frame, end } = this.#torn;
      const { text, json } = lineFrame(new TextDecoder().decode(bytesOf(frame).subarray(0, end)));
      if (json === undefined) this.#malformed(text, end);
      else this.#receiver?.message(json.value, end); // the fault cut off only the line end
    }
    this.#receiver?.ended();
  }

  #endOutput(from: Side): void {
    if (from === this.#peer) this.#ended();
    else if (isRawTransport(this.#inner)) this.#inner.endOutput();
  }

  #end({ how, error }: FaultEnding): void {
    if (this.#over) return;
    if (how === "ends") this.#ended();
    this.#over = true;
    this.#release();
    if (how === "ends") {
      void this.#inner.close();
    } else {
      if (isRawTransport(this.#inner)) this.#inner.break(error);
      else void this.#inner.close();
      this.#receiver?.failed(error);
    }
  }
}
