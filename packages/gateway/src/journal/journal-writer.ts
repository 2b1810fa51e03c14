import { type Deferred, deferred } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import { isEngineError } from "../engine/engine-error.js";
import type { RecordPatch } from "../engine/session-record.js";
import type { JournalEntry } from "./journal-entry.js";
import { type RecordedEntry, writtenEntry } from "./recorded-entry.js";
import { RepairRing } from "./repair-ring.js";

/** The reason why a writer has ended. `fenced`: another replica holds a newer lease. */
export type WriterEnd =
  | { readonly is: "fenced" | "deleted" | "closed" }
  | { readonly is: "failed"; readonly error: unknown };

/** The limits of a {@link JournalWriter}. */
export interface WriterLimits {
  /** The maximum number of entries of one append. */
  readonly maxBatchEntries: number;
  /** The maximum number of characters of one append, unless a single entry is longer. */
  readonly maxBatchChars: number;
  /**
   * The maximum number of unwritten characters. If there are more, {@link JournalWriter.full} is a promise, for which
   * the agent has to wait.
   */
  readonly maxUnwrittenChars: number;
  /**
   * The maximum number of characters of acknowledged entries that stay in memory in case the engine loses them; 0 for
   * an engine that loses none.
   */
  readonly maxRepairChars: number;
  /** The pause before an append with an unknown outcome is repeated, in milliseconds. */
  readonly retryMs: number;
  /** How long an engine may be unavailable before the writer fails, in milliseconds. */
  readonly giveUpMs: number;
}

/** Options of a {@link JournalWriter}. */
export interface JournalWriterOptions {
  readonly membership: Membership;
  readonly lease: Lease;
  /** The number of the last entry. */
  readonly last: number;
  readonly clock: GatewayClock;
  readonly limits: WriterLimits;
  /** Receives entries once they are durable, in order. */
  readonly onDurable: (entries: readonly RecordedEntry[]) => void;
  /** Called with the number of entries that the engine had acknowledged and lost, before they are appended again. */
  readonly onRepair?: (count: number) => void;
  /** Called once, when the writer ends by itself. */
  readonly onEnd: (end: WriterEnd) => void;
}

interface Unwritten {
  readonly recorded: RecordedEntry;
  readonly patch: RecordPatch | undefined;
}

/**
 * `idle`: all entries are durable. `scheduled`: a batch will be sent in this tick. `writing`: a batch was sent.
 * `ended`: nothing is written any more.
 */
type WriterState =
  | { readonly is: "idle" | "scheduled" | "writing" }
  | { readonly is: "ended"; readonly end: WriterEnd };

/**
 * Appends entries to one journal, in the order of the calls, each exactly once. The entries that are added in one tick
 * are appended as one batch. The entries that are added while an append runs form the next batch.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #state: WriterState = { is: "idle" };
  #last: number;
  #unwritten: Unwritten[] = [];
  #chars = 0;
  #waiters: { readonly seq: number; readonly done: Deferred<void> }[] = [];
  /** The pending calls of {@link confirm}. The next append settles them. */
  #confirming: Deferred<void>[] = [];
  #room: Deferred<void> | undefined;
  readonly #ring: RepairRing<Unwritten>;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.#last = options.last;
    this.#ring = new RepairRing(options.clock, options.limits.maxRepairChars);
  }

  /** The number of the last entry, durable or not. */
  get last(): number {
    return this.#last;
  }

  /**
   * `undefined` while there is room. Otherwise a promise that resolves when there is room again, or when the writer has
   * ended.
   */
  get full(): Promise<void> | undefined {
    if (this.#state.is === "ended" || this.#chars <= this.#options.limits.maxUnwrittenChars) return undefined;
    this.#room ??= deferred();
    return this.#room.promise;
  }

  /** Queues an entry with its JSON text and returns its number. Drops the entry if the writer has ended. */
  append(entry: JournalEntry, text: string, patch?: RecordPatch): number {
    if (this.#state.is === "ended") return this.#last;
    this.#last += 1;
    const recorded = writtenEntry({ seq: this.#last, epoch: this.#options.lease.epoch }, entry, text);
    this.#unwritten.push({ recorded, patch });
    this.#chars += text.length;
    if (this.#state.is === "idle") {
      this.#state = { is: "scheduled" };
      void Promise.resolve().then(() => this.#write());
    }
    return this.#last;
  }

  /** Resolves when every queued entry is durable. Rejects with the {@link WriterEnd} if the writer ends before that. */
  durable(): Promise<void> {
    if (this.#state.is === "ended") return rejected(this.#state.end);
    if (this.#unwritten.length === 0) return Promise.resolve();
    const done = deferred();
    this.#waiters.push({ seq: this.#last, done });
    return done.promise;
  }

  /**
   * Resolves when every queued entry is durable. If the engine may lose entries, this method also checks that the
   * engine has the recently acknowledged ones, and waits until lost entries are appended again. Rejects with the
   * {@link WriterEnd} if the writer ends before that.
   */
  async settled(): Promise<void> {
    await this.durable();
    if (!this.#ring.isRecent) return;
    await this.confirm();
    await this.durable(); // the lost entries, which are appended again
  }

  /** Asks the engine whether the lease is still current. Ends the writer if it is not. */
  check(): void {
    if (this.#state.is !== "idle") return; // the running append checks the lease
    this.#state = { is: "writing" };
    void this.#write();
  }

  /**
   * Resolves when the engine has confirmed the lease by an append that was sent after this call. Rejects with the
   * {@link WriterEnd} if the lease is stale.
   */
  confirm(): Promise<void> {
    if (this.#state.is === "ended") return rejected(this.#state.end);
    const done = deferred();
    this.#confirming.push(done);
    this.check();
    return done.promise;
  }

  /**
   * Checks whether an engine that may lose entries still has the recently acknowledged ones, and appends lost entries
   * again.
   */
  tend(): void {
    if (this.#ring.isRecent) this.check();
  }

  /** Ends the writer and drops entries that are not durable. Does not call `onEnd`. */
  close(): void {
    this.#end({ is: "closed" });
  }

  async #write(): Promise<void> {
    const { membership, lease, limits, clock } = this.#options;
    let failingSince: number | undefined;
    let isCurrent = false;
    do {
      if (this.#state.is === "ended") return;
      this.#state = { is: "writing" };
      const batch = this.#batch();
      const confirming = this.#confirming.length;
      const first = batch[0]?.recorded.seq ?? this.#last + 1;
      try {
        const texts = batch.map(({ recorded }) => recorded.text);
        const appended = await membership.append(lease, first, texts, patchOf(batch));
        if ((this.#state as WriterState).is === "ended") return;
        failingSince = undefined;
        isCurrent = true;
        if (appended.is === "appended" || appended.is === "misplaced")
          for (const done of this.#confirming.splice(0, confirming)) done.resolve();
        if (appended.is === "appended") this.#written(batch);
        else if (appended.is === "misplaced" && appended.last >= first && appended.last < first + batch.length)
          // Written by an earlier attempt whose outcome was unknown
          this.#written(batch.slice(0, appended.last - first + 1));
        else if (appended.is === "misplaced" && this.#repair(appended.last, first)) isCurrent = false;
        else if (appended.is === "stale") return this.#endByItself({ is: "fenced" });
        else if (appended.is === "missing") return this.#endByItself({ is: "deleted" });
        else
          throw new Error(
            `The storage engine says that entry ${appended.last} is the journal's last one; entry ${first - 1} was expected`,
          );
      } catch (error) {
        if (!isEngineError(error) || error.code !== "unavailable") return this.#endByItself({ is: "failed", error });
        failingSince ??= clock.now();
        if (clock.now() - failingSince >= limits.giveUpMs) return this.#endByItself({ is: "failed", error });
        await new Promise<void>((resolve) => {
          clock.after(limits.retryMs, resolve);
        });
      }
    } while (this.#unwritten.length > 0 || this.#confirming.length > 0 || !isCurrent);
    if ((this.#state as WriterState).is !== "ended") this.#state = { is: "idle" };
  }

  /**
   * The engine has lost the entries after `last`: queues them again. Returns `false` if this writer no longer has them.
   */
  #repair(last: number, first: number): boolean {
    if (last >= first - 1) return false;
    const lost = this.#ring.takeBehind(last);
    if (lost === undefined || lost.at(-1)?.recorded.seq !== first - 1) return false;
    this.#unwritten = [...lost, ...this.#unwritten]; // `unshift(...lost)` would exceed the stack with many entries
    for (const { recorded } of lost) this.#chars += recorded.text.length;
    this.#options.onRepair?.(lost.length);
    return true;
  }

  #batch(): Unwritten[] {
    const { maxBatchEntries, maxBatchChars } = this.#options.limits;
    let count = 0;
    let chars = 0;
    for (const { recorded } of this.#unwritten) {
      chars += recorded.text.length;
      if (count === maxBatchEntries || (count > 0 && chars > maxBatchChars)) break;
      count += 1;
    }
    return this.#unwritten.slice(0, count);
  }

  #written(batch: readonly Unwritten[]): void {
    this.#unwritten = this.#unwritten.slice(batch.length);
    for (const { recorded } of batch) this.#chars -= recorded.text.length;
    this.#ring.add(batch);
    const last = (this.#unwritten[0]?.recorded.seq ?? this.#last + 1) - 1;
    if (batch.length > 0) this.#options.onDurable(batch.map(({ recorded }) => recorded));
    if (this.#waiters.length > 0) this.#resolveUpTo(last);
    if (this.#room !== undefined && this.#chars <= this.#options.limits.maxUnwrittenChars / 2) {
      this.#room.resolve();
      this.#room = undefined;
    }
  }

  #resolveUpTo(last: number): void {
    const reached = this.#waiters.findIndex(({ seq }) => seq > last);
    const done = this.#waiters.splice(0, reached === -1 ? this.#waiters.length : reached);
    for (const waiter of done) waiter.done.resolve();
  }

  #endByItself(end: WriterEnd): void {
    if (this.#end(end)) this.#options.onEnd(end);
  }

  #end(end: WriterEnd): boolean {
    if (this.#state.is === "ended") return false;
    this.#state = { is: "ended", end };
    this.#unwritten = [];
    this.#chars = 0;
    this.#ring.clear();
    for (const { done } of this.#waiters.splice(0)) done.reject(end);
    for (const done of this.#confirming.splice(0)) done.reject(end);
    this.#room?.resolve();
    return true;
  }
}

/** Merges the patches of a batch. The last change of each member counts. */
function patchOf(batch: readonly Unwritten[]): RecordPatch | undefined {
  let merged: RecordPatch | undefined;
  for (const { patch } of batch) if (patch !== undefined) merged = { ...merged, ...patch };
  return merged;
}

function rejected(reason: unknown): Promise<never> {
  const promise = Promise.reject(reason);
  promise.catch(() => {});
  return promise;
}
