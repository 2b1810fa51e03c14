import type { Appended, Lease, RecordPatch } from "@acp-kit/gateway/engine";
import type { PostgresPort } from "./postgres-port.js";
import type { PostgresStatement } from "./postgres-statements.js";
import { keyDigest, storable } from "./postgres-text.js";

interface Append {
  readonly name: string;
  readonly key: Buffer;
  readonly epoch: number;
  readonly first: number;
  readonly entries: readonly Buffer[];
  readonly bytes: number;
  readonly patch: RecordPatch;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** The maximum number of running statements. While one statement waits for the disk, the next statement is sent. */
const MAX_ON_THE_WAY = 2;
const MAX_SESSIONS = 500;
const MAX_BYTES = 8_388_608;

/**
 * Combines the appended entries of many sessions in one statement, because one large transaction takes less time than
 * many small transactions.
 */
export class AppendQueue {
  readonly #port: PostgresPort;
  readonly #statement: PostgresStatement;
  #queue: Append[] = [];
  #onTheWay = 0;
  #isScheduled = false;

  constructor(port: PostgresPort, statement: PostgresStatement) {
    this.#port = port;
    this.#statement = statement;
  }

  add({ key, epoch }: Lease, first: number, texts: readonly string[], patch: RecordPatch): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const entries = texts.map((text) => Buffer.from(storable(text)));
      const bytes = entries.reduce((sum, { length }) => sum + length, 0);
      const digest = keyDigest(key);
      this.#queue.push({
        name: digest.toString("latin1"),
        key: digest,
        epoch,
        first,
        entries,
        bytes,
        patch,
        resolve,
        reject,
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#onTheWay === MAX_ON_THE_WAY || this.#queue.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#send(this.#batch());
      this.#schedule();
    });
  }

  /**
   * Removes the appends for the next statement from the queue: at most one of each session, because a statement can't
   * change a row twice.
   */
  #batch(): Append[] {
    const batch: Append[] = [];
    const later: Append[] = [];
    const names = new Set<string>();
    let bytes = 0;
    for (const append of this.#queue) {
      const fits = batch.length < MAX_SESSIONS && (batch.length === 0 || bytes + append.bytes <= MAX_BYTES);
      if (!fits || names.has(append.name)) {
        later.push(append);
        continue;
      }
      names.add(append.name);
      bytes += append.bytes;
      batch.push(append);
    }
    this.#queue = later;
    return batch;
  }

  async #send(batch: readonly Append[]): Promise<void> {
    this.#onTheWay += 1;
    try {
      const rows = await this.#port.run(this.#statement, valuesOf(batch));
      const found = new Map(rows.map((row) => [Number(row.i), row]));
      for (const [index, append] of batch.entries()) {
        const row = found.get(index + 1);
        append.resolve(
          row === undefined ? { is: "missing" } : outcomeOf(append, Number(row.epoch), Number(row.last_seq)),
        );
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#onTheWay -= 1;
      this.#schedule();
    }
  }
}

/**
 * Returns the outcome of an append. `foundEpoch` and `last` are the epoch and the last number that the statement found.
 */
function outcomeOf({ epoch, first }: Append, foundEpoch: number, last: number): Appended {
  if (foundEpoch !== epoch) return { is: "stale" };
  return last + 1 === first ? { is: "appended" } : { is: "misplaced", last };
}

function valuesOf(batch: readonly Append[]): unknown[] {
  const [sessions, places, offsets, lengths]: number[][] = [[], [], [], []];
  const bytes: Buffer[] = [];
  let at = 1;
  for (const [index, { entries }] of batch.entries())
    for (const [place, entry] of entries.entries()) {
      sessions?.push(index + 1);
      places?.push(place);
      offsets?.push(at);
      lengths?.push(entry.length);
      bytes.push(entry);
      at += entry.length;
    }
  return [
    batch.map(({ key }) => key),
    batch.map(({ epoch }) => epoch),
    batch.map(({ first }) => first),
    batch.map(({ entries }) => entries.length),
    batch.map(({ patch: { title } }) => title !== undefined),
    batch.map(({ patch: { title } }) => (title == null ? null : storable(title))),
    batch.map(({ patch: { state } }) => (state === undefined ? null : storable(state))),
    sessions,
    places,
    offsets,
    lengths,
    Buffer.concat(bytes),
  ];
}
