import type { Clock } from "../clock.js";
import type { Frame } from "./frame.js";

/** What happens in one direction, in order. */
export type Deed =
  /** Arrives in one piece. */
  | { readonly do: "deliver"; readonly frames: readonly Frame[] }
  /** Some of a frame's bytes arrive; the last piece completes it. */
  | {
      readonly do: "piece";
      readonly frame: Frame;
      readonly start: number;
      readonly end: number;
      readonly last: boolean;
    }
  /** It waits for those behind it, until there are so many or the time is over. */
  | { readonly do: "gather"; readonly frames: readonly Frame[]; readonly count: number; readonly ms: number }
  | { readonly do: "wait"; readonly ms: number }
  /** The reader gets a chance to read what is there. */
  | { readonly do: "turn" }
  | { readonly do: "run"; readonly action: () => void };

/** Where a lane leads to. */
export interface LaneEnd {
  deliver(frames: readonly Frame[]): void;
  piece(frame: Frame, start: number, end: number, last: boolean): void;
  /** Nothing moves, or everything moves again. */
  blocked(blocked: boolean): void;
}

/** One direction of a connection: deeds, one after the other. Without a wait each is done at once. */
export class Lane {
  readonly #end: LaneEnd;
  readonly #clock: Clock;
  #deeds: Deed[] = [];
  #wait: (() => void) | undefined;
  #gathered: { readonly frames: Frame[]; readonly count: number; readonly cancel: () => void } | undefined;
  #stopped = false;
  #running = false;

  constructor(end: LaneEnd, clock: Clock) {
    this.#end = end;
    this.#clock = clock;
  }

  get isBlocked(): boolean {
    return this.#wait !== undefined;
  }

  push(...deeds: Deed[]): void {
    if (this.#stopped) return;
    this.#deeds.push(...deeds);
    this.#run();
  }

  /** Does everything now, without waiting. */
  flush(): void {
    this.#unblock();
    this.#deeds = this.#deeds.filter((deed) => deed.do !== "wait" && deed.do !== "turn");
    this.#run();
    this.#deliverGathered();
  }

  /** Does nothing more; what is on its way is lost. */
  stop(): void {
    this.#stopped = true;
    this.#deeds = [];
    this.#gathered?.cancel();
    this.#gathered = undefined;
    this.#unblock();
  }

  #run(): void {
    if (this.#running) return; // a deed may bring about others
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
      this.#startGathering(deed.count, deed.ms);
      this.#gather(deed.frames);
      return;
    }
    this.#deliverGathered();
    if (deed.do === "deliver") this.#end.deliver(deed.frames);
    else if (deed.do === "piece") this.#end.piece(deed.frame, deed.start, deed.end, deed.last);
    else if (deed.do === "run") deed.action();
    else if (deed.do === "wait") this.#block((go) => this.#clock.after(deed.ms, go));
    else this.#block(nextTurn);
  }

  #startGathering(count: number, ms: number): void {
    if (this.#gathered !== undefined) return;
    const cancel = this.#clock.after(ms, () => this.#deliverGathered());
    this.#gathered = { frames: [], count, cancel };
  }

  #gather(frames: readonly Frame[]): void {
    this.#gathered?.frames.push(...frames);
    if (this.#gathered !== undefined && this.#gathered.frames.length >= this.#gathered.count) this.#deliverGathered();
  }

  #deliverGathered(): void {
    const gathered = this.#gathered;
    if (gathered === undefined) return;
    this.#gathered = undefined;
    gathered.cancel();
    this.#end.deliver(gathered.frames);
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

/** A few microtasks: as long as in-memory readers need. */
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
