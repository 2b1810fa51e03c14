/** Gives ids that a test can foresee: `session-1`, `session-2`, `call-1`. Made by {@link createIds}. */
export type Ids = (kind: string) => string;

/** Counts each kind by itself, from 1. */
export function createIds(): Ids {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${count}`;
  };
}
