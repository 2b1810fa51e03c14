import type { Clock } from "../clock.js";
import { type Frame, joinFrames, withBytes } from "./frame.js";

/** The actions of one direction, in order. */
export type Deed =
  /** A frame arrives in one piece. */
  | { readonly do: "deliver"; readonly frames: readonly Frame[] }
  /** Some bytes of a frame arrive; the last piece completes the frame. */
  | {
      readonly do: "piece";
      readonly frame: Frame;
      readonly start: number;
      readonly end: number;
      readonly last: boolean;
    }
  /** A frame waits for later frames, until there are enough of them or the time is over. */
  | { readonly do: "gather"; readonly frames: readonly Frame[]; readonly how: Gathering }
  | { readonly do: "wait"; readonly ms: number }
  /** The lane waits some microtasks, so that the reader can read the available data. */
  | { readonly do: "turn" }
  | { readonly do: "run"; readonly action: () => void };

/** The way in which frames (lines in transit) are collected to be sent together. */
export interface Gathering {
  /** The number of frames. */
  readonly count: number;
  /** The maximum time to wait, in milliseconds. Then the frames collected so far are sent, even if there are fewer. */
  readonly ms: number;
  /** Returns the size of the next piece; if absent, all bytes are sent in one piece. */
  readonly nextPiece: (() => number) | undefined;
}

/** Returns the actions by which a frame arrives in pieces. */
export function pieces(whole: Frame, nextPiece: () => number): Deed[] {
  const frame = withBytes(whole);
  const { length } = frame.bytes;
  const deeds: Deed[] = [];
  for (let start = 0; start < length; ) {
    const end = Math.min(length, start + nextPiece());
    deeds.push({ do: "piece", frame, start, end, last: end === length }, { do: "turn" });
    start = end;
  }
  return deeds;
}

/** The output of a lane. */
export interface LaneEnd {
  deliver(frames: readonly Frame[]): void;
  piece(frame: Frame, start: number, end: number, last: boolean): void;
  /** Pauses or resumes the reader. */
  blocked(blocked: boolean): void;
}

/** One direction of a connection: a queue of actions. Each action runs immediately, unless it has to wait. */
export class Lane {
  readonly #end: LaneEnd;
  readonly #clock: Clock;
  readonly #deeds = new Deeds();
  #wait: (() => void) | undefined;
  #gathered: { readonly frames: Frame[]; readonly how: Gathering; readonly cancel: () => void } | undefined;
  #stopped = false;
  #running = false;
  /** Whether `flush` is running, in which actions do not wait. */
  #flushing = false;

  constructor(end: LaneEnd, clock: Clock) {
    this.#end = end;
    this.#clock = clock;
  }

  get isBlocked(): boolean {
    return this.#wait !== undefined;
  }

  push(...deeds: readonly Deed[]): void {
    this.pushAll(deeds);
  }

  /** Like {@link push}, for an array. A message in pieces can have more actions than a call has arguments. */
  pushAll(deeds: readonly Deed[]): void {
    if (this.#stopped) return;
    for (const deed of deeds) this.#deeds.push(deed);
    this.#run();
  }

  /** Runs all actions now, without waiting. */
  flush(): void {
    this.#unblock();
    this.#flushing = true;
    this.#run();
    this.#endGathering();
    this.#run();
    this.#flushing = false;
  }

  /** Runs no further action; frames in transit are lost. */
  stop(): void {
    this.#stopped = true;
    this.#deeds.clear();
    this.#gathered?.cancel();
    this.#gathered = undefined;
    this.#unblock();
  }

  #run(): void {
    if (this.#running) return; // an action may add further actions
    this.#running = true;
    try {
      while (this.#wait === undefined) {
        const deed = this.#deeds.shift();
        if (deed === undefined) break;
        this.#do(deed);
      }
    } finally {
      this.#running = false;
    }
  }

  #do(deed: Deed): void {
    if (deed.do === "deliver" && this.#gathered !== undefined) {
      this.#gather(deed.frames);
      return;
    }
    if (deed.do === "gather") {
      this.#startGathering(deed.how);
      this.#gather(deed.frames);
      return;
    }
    if (this.#gathered !== undefined) {
      this.#deeds.unshift([deed]); // the action continues after the inserted actions
      this.#endGathering();
      return;
    }
    if (deed.do === "deliver") this.#end.deliver(deed.frames);
    else if (deed.do === "piece") this.#end.piece(deed.frame, deed.start, deed.end, deed.last);
    else if (deed.do === "run") deed.action();
    else if (this.#flushing) return;
    else if (deed.do === "wait") this.#block((go) => this.#clock.after(deed.ms, go));
    else this.#block(nextTurn);
  }

  #startGathering(how: Gathering): void {
    if (this.#gathered !== undefined) return;
    const over = (): void => {
      this.#endGathering();
      this.#run();
    };
    this.#gathered = { frames: [], how, cancel: this.#clock.after(how.ms, over) };
  }

  #gather(frames: readonly Frame[]): void {
    const gathered = this.#gathered;
    for (const frame of frames) gathered?.frames.push(frame);
    if (gathered !== undefined && gathered.frames.length >= gathered.how.count) this.#endGathering();
  }

  #endGathering(): void {
    const gathered = this.#gathered;
    if (gathered === undefined) return;
    this.#gathered = undefined;
    gathered.cancel();
    const { frames, how } = gathered;
    const deliver: Deed = { do: "deliver", frames };
    const next = how.nextPiece === undefined ? [deliver] : pieces(joinFrames(frames), how.nextPiece);
    this.#deeds.unshift(next);
  }

  #block(until: (go: () => void) => () => void): void {
    const cancel = until(() => {
      this.#wait = undefined;
      this.#end.blocked(false);
      this.#run();
    });
    this.#wait = cancel;
    this.#end.blocked(true);
  }

  #unblock(): void {
    if (this.#wait === undefined) return;
    this.#wait();
    this.#wait = undefined;
    this.#end.blocked(false);
  }
}

/** A queue of actions. Removing the first element of a long array would move all others. */
class Deeds {
  #items: Deed[] = [];
  #first = 0;

  push(deed: Deed): void {
    this.#items.push(deed);
  }

  shift(): Deed | undefined {
    const deed = this.#items[this.#first];
    if (deed === undefined) this.clear();
    else this.#first += 1;
    return deed;
  }

  /** Inserts actions before all others. */
  unshift(deeds: readonly Deed[]): void {
    this.#items = deeds.concat(this.#items.slice(this.#first));
    this.#first = 0;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}

/** Calls `go` after a few microtasks, enough for readers in memory. Returns a function that cancels it. */
function nextTurn(go: () => void): () => void {
  let cancelled = false;
  void Promise.resolve()
    .then(() => {})
    .then(() => {
      if (!cancelled) go();
    });
  return () => {
    cancelled = true;
  };
}
