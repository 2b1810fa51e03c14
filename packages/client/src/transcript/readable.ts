/**
 * A value that changes over time and notifies subscribers, for a user interface. Its functions don't depend on `this`,
 * so that React's `useSyncExternalStore(x.subscribe, x.getSnapshot)` works.
 */
export interface Readable<T> {
  /** The current value. It is the same object until something changes. */
  readonly snapshot: T;
  /** Returns {@link snapshot}. */
  readonly getSnapshot: () => T;
  /**
   * Calls `listener` after the value has changed. A transcript calls it once for all changes that arrive together. The
   * returned function removes the listener.
   */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Returns a part of a readable value as a readable value of its own, which changes only when that part changes. */
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
