import type { PlanEntry } from "@acp-kit/types";
import type { Sent } from "./sent.js";

/**
 * A new plan entry. A string is short for an entry with this content, the status `pending` and the priority `medium`.
 */
export type PlanEntryInit = string | (Pick<PlanEntry, "content"> & Partial<PlanEntry>);

/** A change of a plan entry. Absent members do not change. */
export type PlanEntryChange = Partial<PlanEntry>;

/**
 * A plan that the agent changes entry by entry. The protocol always sends a whole plan, so each change sends the whole
 * plan again. `edit` sends several changes in one update.
 *
 * @see https://agentclientprotocol.com/protocol/v1/agent-plan
 */
export class PlanHandle {
  readonly #send: (entries: readonly PlanEntry[]) => Sent;
  #entries: readonly PlanEntry[];
  #editing = false;

  /** @internal Created by `turn.startPlan`, which sends the plan. */
  constructor(entries: readonly PlanEntryInit[], send: (entries: readonly PlanEntry[]) => Sent) {
    this.#entries = entries.map(entryOf);
    this.#send = send;
  }

  /** The entries of the plan as they were last sent. */
  get entries(): readonly PlanEntry[] {
    return this.#entries;
  }

  /** Adds an entry to the plan, at the end or before the entry at `index`. */
  add(entry: PlanEntryInit, index: number = this.#entries.length): Sent {
    return this.#set(this.#entries.toSpliced(index, 0, entryOf(entry)));
  }

  /**
   * @throws {RangeError} when the plan has no entry at `index`.
   */
  update(index: number, change: PlanEntryChange): Sent {
    return this.#set(this.#entries.with(index, { ...this.#at(index), ...change }));
  }

  /** Sets the status of the plan entry at `index` to `in_progress`. */
  start(index: number): Sent {
    return this.update(index, { status: "in_progress" });
  }

  /** Sets the status of the plan entry at `index` to `completed`. */
  complete(index: number): Sent {
    return this.update(index, { status: "completed" });
  }

  /**
   * @throws {RangeError} when the plan has no entry at `index`.
   */
  remove(index: number): Sent {
    this.#at(index);
    return this.#set(this.#entries.toSpliced(index, 1));
  }

  /** Sends several changes of the plan in one update: `plan.edit((plan) => { plan.complete(0); plan.start(1); })`. */
  edit(changes: (plan: this) => void): Sent {
    this.#editing = true;
    try {
      changes(this);
    } finally {
      this.#editing = false;
    }
    return this.#send(this.#entries);
  }

  #set(entries: readonly PlanEntry[]): Sent {
    this.#entries = entries;
    return this.#editing ? undefined : this.#send(entries);
  }

  #at(index: number): PlanEntry {
    const entry = index < 0 ? undefined : this.#entries[index];
    if (entry === undefined)
      throw new RangeError(`The plan has ${this.#entries.length} entries, but no entry at the index ${index}`);
    return entry;
  }
}

function entryOf(entry: PlanEntryInit): PlanEntry {
  if (typeof entry === "string") return { content: entry, priority: "medium", status: "pending" };
  return { priority: "medium", status: "pending", ...entry };
}
