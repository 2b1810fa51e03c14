/** Generates predictable ids: `session-1`, `session-2`, `call-1`. {@link createIds} creates it. */
export type Ids = (kind: string) => string;

/** Creates a generator that counts the ids of each kind separately, from 1. */
export function createIds(): Ids {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${count}`;
  };
}
