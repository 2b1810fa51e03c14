/** How deep values are printed. Deeper than that nobody reads, and `JSON.stringify` recurses until the stack is full. */
export const maxJsonDepth = 200;

/** A value as one line of JSON, whatever an agent has put into it: what lies deeper than {@link maxJsonDepth} is replaced by a note. */
export function jsonText(value: unknown): string {
  return JSON.stringify(shallow(value, maxJsonDepth));
}

/** The value itself where nothing lies too deep. Recurses no further than the limit. */
function shallow(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return `… nested deeper than ${maxJsonDepth} levels`;
  if (Array.isArray(value)) {
    const items = value.map((item) => shallow(item, depth - 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const shown = shallow(member, depth - 1);
    if (shown === member) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, name, { value: shown, enumerable: true, configurable: true, writable: true });
  }
  return copy ?? value;
}
