import { type Clock, systemClock } from "../clock.js";
import type { Side } from "../wire-message.js";
import { checkPlan } from "./check-plan.js";
import { describeFault, describeFaults } from "./describe-faults.js";
import { deedsOf, type Hands, inject, type Outcome } from "./effects.js";
import type { FaultOptions, FaultReport } from "./fault-options.js";
import type { Fault, FaultPlan, InjectedFault } from "./fault-plan.js";
import { bytesOf, type Frame } from "./frame.js";
import { Lane, type LaneEnd } from "./lane.js";
import { Rules } from "./rules.js";
import { type Passing, Traffic } from "./traffic.js";

/** How a fault ends a connection. */
export interface FaultEnding {
  readonly how: "ends" | "breaks";
  readonly exitCode: number | undefined;
  /** An error whose message describes the fault that ended the connection. */
  readonly error: Error;
}

/** The connection into which faults are injected: both directions, and both ends. */
export interface FaultTarget {
  readonly lanes: Readonly<Record<Side, LaneEnd>>;
  /** Ends the output of the given side, which keeps reading. */
  endOutput(from: Side): void;
  /** Ends the connection for both sides. */
  end(ending: FaultEnding): void;
  /** Whether the transport can write raw text as output of the given side, and can end only this output. */
  canWriteText(from: Side): boolean;
}

interface Direction {
  readonly lane: Lane;
  bytes: number;
  silent: boolean;
  /** Messages that the fault `reorder` holds back until other messages have passed. */
  readonly held: { readonly frames: readonly Frame[]; left: number; readonly cancel: () => void }[];
}

/** Injects the faults of a plan into both directions of one connection. */
export class FaultInjector implements FaultReport {
  readonly seed: number | string;
  readonly injected: InjectedFault[] = [];

  readonly #plan: FaultPlan;
  readonly #target: FaultTarget;
  readonly #clock: Clock;
  readonly #onFault: ((fault: InjectedFault) => void) | undefined;
  readonly #traffic = new Traffic();
  readonly #rules: Rules;
  readonly #directions: Readonly<Record<Side, Direction>>;
  /** Updates held back for late delivery, by session. */
  readonly #late = new Map<string, Frame[]>();
  #ending: InjectedFault | undefined;
  #over = false;

  constructor(plan: FaultPlan, options: FaultOptions, target: FaultTarget) {
    checkPlan(plan);
    const { seed = 1, clock = systemClock, onFault } = options;
    this.seed = seed;
    this.#plan = plan;
    this.#target = target;
    this.#clock = clock;
    this.#onFault = onFault;
    this.#rules = new Rules(
      plan,
      seed,
      this.#traffic,
      ({ fault }, from) => !needsText.includes(fault) || target.canWriteText(from),
    );
    const direction = (side: Side): Direction => ({
      lane: new Lane(target.lanes[side], clock),
      bytes: 0,
      silent: false,
      held: [],
    });
    this.#directions = { agent: direction("agent"), client: direction("client") };
  }

  describe(): string {
    return describeFaults(this.seed, this.#plan, this.injected);
  }

  isBlocked(from: Side): boolean {
    return this.#directions[from].lane.isBlocked;
  }

  /** Passes a frame on, in the order in which its side sent it. */
  pass(from: Side, frame: Frame): void {
    const direction = this.#directions[from];
    if (this.#over) return;
    const passing = this.#traffic.passing(from, frame);
    const start = direction.bytes;
    if (this.#countsBytes) direction.bytes += bytesOf(frame).length;
    if (direction.silent) return;
    const outcome: Outcome = {
      frames: [frame],
      before: [],
      after: [],
      gather: undefined,
      nextPiece: undefined,
      isLast: false,
    };
    const hands = this.#hands(passing);
    for (const { fault, rule, random } of this.#rules.meeting(passing, start, direction.bytes)) {
      if (outcome.frames.length === 0 || outcome.isLast) break; // no further message arrives
      const detail = inject(fault, { passing, outcome, random, start, hands });
      const { number, kind, method } = passing;
      const told: InjectedFault = { fault: fault.fault, rule, from, message: number, kind, method, detail };
      this.injected.push(told);
      if (outcome.isLast) {
        direction.silent = true; // a dead process sends no messages
        this.#ending ??= told;
      }
      this.#onFault?.(told);
    }
    direction.lane.pushAll(deedsOf(outcome));
    if (outcome.frames.length > 0) this.#passed(direction);
    if (passing.endsWork) this.#releaseLate(passing);
  }

  /** Passes on an event of a side, such as malformed input or its end, after all earlier frames of this side. */
  inOrder(from: Side, action: () => void): void {
    this.#releaseHeld(this.#directions[from]);
    this.#directions[from].lane.push({ do: "run", action });
  }

  /** Delivers all messages of a side that are still in transit immediately. */
  flush(from: Side): void {
    this.#releaseHeld(this.#directions[from]);
    this.#directions[from].lane.flush();
  }

  /** Stops both directions. Frames in transit are lost. */
  stop(): void {
    this.#over = true;
    for (const { lane, held } of Object.values(this.#directions)) {
      lane.stop();
      for (const { cancel } of held) cancel();
    }
  }

  get #countsBytes(): boolean {
    return this.#plan.some((fault) => fault.fault === "cut" && fault.atByte !== undefined);
  }

  /** Returns the functions with which a fault acts on the whole connection. */
  #hands(passing: Passing): Hands {
    const { from } = passing;
    return {
      version: this.#traffic.version,
      silence: () => {
        this.#directions[from].silent = true;
      },
      holdBehind: (frames, by, ms) => this.#hold(from, frames, by, ms),
      holdLate: (frames) => {
        const sessionId = passing.sessionId as string;
        this.#late.set(sessionId, [...(this.#late.get(sessionId) ?? []), ...frames]);
      },
      endOutput: () => {
        this.#directions[from].silent = true;
        this.#target.endOutput(from);
      },
      end: (how, exitCode) => {
        const why = this.#ending === undefined ? "" : describeFault(this.#ending);
        this.stop();
        this.#target.end({ how, exitCode, error: new Error(`Fault injected (seed ${this.seed}): ${why}`) });
      },
    };
  }

  #hold(from: Side, frames: readonly Frame[], by: number, ms: number): void {
    const direction = this.#directions[from];
    if (frames.length === 0) return;
    const held = {
      frames,
      left: by,
      cancel: this.#clock.after(ms, () => this.#letGo(direction, held)),
    };
    direction.held.push(held);
  }

  /** Called when a message has passed. Delivers the messages that `reorder` has held back until this message. */
  #passed(direction: Direction): void {
    for (const held of [...direction.held]) {
      held.left -= 1;
      if (held.left <= 0) this.#letGo(direction, held);
    }
  }

  #letGo(direction: Direction, held: Direction["held"][number]): void {
    held.cancel();
    direction.held.splice(direction.held.indexOf(held), 1);
    direction.lane.push({ do: "deliver", frames: held.frames });
  }

  #releaseHeld(direction: Direction): void {
    for (const held of [...direction.held]) this.#letGo(direction, held);
  }

  #releaseLate({ from, sessionId }: Passing): void {
    const frames = this.#late.get(sessionId as string);
    if (frames === undefined || this.#traffic.isPrompted(sessionId)) return;
    this.#late.delete(sessionId as string);
    this.#directions[from].lane.push({ do: "deliver", frames });
  }
}

/** Faults that need text, or a transport that can end one direction. */
const needsText: readonly Fault["fault"][] = ["garbage", "banner", "half-close"];
