import type { Code, Difference } from "../difference.js";

/** The writer and the reader of a value. */
export interface Direction {
  readonly writer: string;
  readonly reader: string;
}

/** The sides that are concerned, in words: `agents and clients`. */
export interface Who {
  readonly writers: string;
  readonly readers: string;
  readonly all: string;
}

/**
 * What a difference does to the values that are valid. `narrowed` and `widened`: fewer or more values. `replaced`:
 * others. `lost`: a part that readers no longer receive, or writers must no longer send. `known`: no valid value
 * changes. `decoder`: how values are decoded.
 */
export type Change = "narrowed" | "widened" | "replaced" | "lost" | "known" | "decoder" | "words";

export interface Draft {
  readonly code: Code;
  readonly change: Change;
  readonly what: string;
  /** What a side has to do, if the difference breaks it. */
  readonly demand?: ((who: Who) => string) | undefined;
  /** Whether old readers accept unknown values here. */
  readonly open?: boolean;
  readonly among?: Difference["among"];
  /** A new variant or value, which a capability may gate. */
  readonly novelty?: { readonly name: string; readonly doc: string | undefined } | undefined;
}

/** A difference of one place, before its effect is known: that depends on who writes and reads the place. */
export interface Finding extends Draft {
  readonly definition: string;
  readonly path: string;
  /** Each direction in which the place is sent, and whether old readers always recover from what they can't read. */
  readonly seen: Map<string, Direction & { readonly recovers: boolean }>;
  readonly methods: Set<string>;
}

/** A place in a message. */
export interface Place {
  readonly definition: string;
  readonly path: string;
  readonly recovers: boolean;
  /** Whether old decoders read `null` here as an empty value. */
  readonly nullIsEmpty: boolean;
  readonly direction: Direction;
  readonly method: string;
}

/** Collects findings. The same place of a shared definition is found once, with all its directions. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  add({ definition, path, recovers, direction, method }: Place, draft: Draft): void {
    const key = `${path}\n${draft.code}\n${draft.what}`;
    const finding = this.#found.get(key) ?? { ...draft, definition, path, seen: new Map(), methods: new Set() };
    const name = `${direction.writer} → ${direction.reader}`;
    const before = finding.seen.get(name);
    finding.seen.set(name, { ...direction, recovers: recovers && before?.recovers !== false });
    if (method !== "") finding.methods.add(method);
    this.#found.set(key, finding);
  }

  all(): readonly Finding[] {
    return [...this.#found.values()];
  }
}

/** Returns a place inside another. */
export function at(place: Place, step: string, recovers = false): Place {
  return { ...place, path: `${place.path}${step}`, recovers: place.recovers || recovers, nullIsEmpty: false };
}
