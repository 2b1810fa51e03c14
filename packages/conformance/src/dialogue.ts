import type { Role } from "./requirements/requirement.js";

/** One event between the kit and the peer under test. */
export type DialogueEntry =
  /** A JSON value that the client or the agent sent. */
  | { readonly seq: number; readonly atMs: number; readonly from: Role; readonly message: unknown }
  /** A line that is not JSON, or bytes that were not sent as one line. */
  | { readonly seq: number; readonly atMs: number; readonly from: Role; readonly raw: string; readonly because: string }
  /** An event that is not a message: the start or exit of a process, its standard error, or a note of the scenario. */
  | { readonly seq: number; readonly atMs: number; readonly event: string };

/** The messages and events of one connection to one process of the peer, in order. */
export interface Dialogue {
  /** The name of the connection in the scenario: `connection 1`, `connection 2`, … */
  readonly name: string;
  readonly entries: readonly DialogueEntry[];
}

/** A dialogue to which the kit still adds entries. */
export class DialogueLog implements Dialogue {
  readonly name: string;
  readonly entries: DialogueEntry[] = [];
  #seq = 0;
  readonly #now: () => number;

  constructor(name: string, now: () => number = () => performance.now()) {
    this.name = name;
    const start = now();
    this.#now = () => Math.round((now() - start) * 10) / 10;
  }

  message(from: Role, message: unknown): DialogueEntry {
    return this.#add({ seq: this.#seq++, atMs: this.#now(), from, message });
  }

  raw(from: Role, raw: string, because: string): DialogueEntry {
    return this.#add({ seq: this.#seq++, atMs: this.#now(), from, raw, because });
  }

  event(event: string): DialogueEntry {
    return this.#add({ seq: this.#seq++, atMs: this.#now(), event });
  }

  #add(entry: DialogueEntry): DialogueEntry {
    this.entries.push(entry);
    return entry;
  }
}
