/** Returns the names that are most similar to a text, the most similar first. */
export function nearest(text: string, names: readonly string[], count = 3): string[] {
  const wanted = text.toLowerCase().slice(0, 64);
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase().slice(0, 64)) }))
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Returns the distance of a name from a text: 0.5 if one starts with the other, 1 if one contains the other, otherwise the number of changed letters. */
function distanceTo(text: string, name: string): number {
  if (name.startsWith(text) || text.startsWith(name)) return 0.5;
  return name.includes(text) || text.includes(name) ? 1 : editDistance(text, name);
}

/** Returns the number of letters to insert, remove or replace. The caller limits the length of the texts. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
