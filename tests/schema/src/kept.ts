/**
 * Finds the first difference between a value and another decoder's result. The other decoder may have dropped members
 * (the official SDK drops unknown ones), but each member of its result must be in our value.
 *
 * @returns the path of the difference; `undefined` if there is none.
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
