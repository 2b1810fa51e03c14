import { editDistance } from "@acp-kit/protocol/internal";

/** Returns the names that are most similar to a text, the most similar first. */
export function nearest(text: string, names: readonly string[], count = 3): string[] {
  const wanted = text.toLowerCase().slice(0, 64);
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase().slice(0, 64)) }))
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Returns a name's distance: 0.5 if one starts with the other, 1 if one contains it, else changed letters. */
function distanceTo(text: string, name: string): number {
  if (name.startsWith(text) || text.startsWith(name)) return 0.5;
  return name.includes(text) || text.includes(name) ? 1 : editDistance(text, name);
}
