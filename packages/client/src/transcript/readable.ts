/** A value that changes, for a user interface. Its functions are bound, for use as `useSyncExternalStore(x.subscribe, x.getSnapshot)`. */
export interface Readable<T> {
  /** The current value: the same object as long as nothing changes. */
  readonly snapshot: T;
  /** {@link snapshot} as a function. */
  readonly getSnapshot: () => T;
  /** Calls `listener` after changes, once for all changes that arrive together. Returns a function that removes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Selects a part of a readable value; it changes only when the part does. */
export function selectFrom<T, Part>(
  source: Readable<T>,
  selector: (value: T) => Part,
  isEqual: (a: Part, b: Part) => boolean = Object.is,
): Readable<Part> {
  let seen: { readonly of: T; readonly part: Part } | undefined;
  const getSnapshot = (): Part => {
    const value = source.snapshot;
    if (seen !== undefined && Object.is(seen.of, value)) return seen.part;
    const part = selector(value);
    seen = { of: value, part: seen !== undefined && isEqual(seen.part, part) ? seen.part : part };
    return seen.part;
  };
  return {
    get snapshot() {
      return getSnapshot();
    },
    getSnapshot,
    subscribe(listener) {
      let last = getSnapshot();
      return source.subscribe(() => {
        const part = getSnapshot();
        if (Object.is(part, last)) return;
        last = part;
        listener();
      });
    },
  };
}
