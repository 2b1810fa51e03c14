/** Returns a copy with each string replaced, or `value` itself if no string changes. */
export function mapStrings(value: unknown, replace: (text: string, member: string) => unknown, member = ""): unknown {
  if (typeof value === "string") return replace(value, member);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const other = mapStrings(item, replace, member);
      if (other === item) continue;
      items ??= [...value];
      items[index] = other;
    }
    return items ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [name, item] of Object.entries(value)) {
    const other = mapStrings(item, replace, name);
    if (other === item) continue;
    copy ??= { ...value };
    copy[name] = other;
  }
  return copy ?? value;
}
