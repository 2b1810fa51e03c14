/**
 * Where a value differs from what another reader kept of it. The other reader may have dropped members (the official
 * SDK strips what it does not know), but what it kept has to be there, and what it made `undefined` must not be.
 *
 * @returns the path, `undefined` when everything is there.
 */
export function firstLost(kept: unknown, ours: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (Array.isArray(kept)) {
    if (!Array.isArray(ours) || ours.length !== kept.length) return path;
    return firstOf(kept.keys(), (index) => firstLost(kept[index], ours[index], [...path, String(index)]));
  }
  if (typeof kept === "object" && kept !== null) {
    if (typeof ours !== "object" || ours === null || Array.isArray(ours)) return path;
    const members = kept as Record<string, unknown>;
    return firstOf(Object.keys(kept), (key) => firstLost(members[key], own(ours, key), [...path, key]));
  }
  return Object.is(kept, ours) ? undefined : path;
}

function own(holder: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

function firstOf<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
