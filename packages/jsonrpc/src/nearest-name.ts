/** The longest name that is compared, in UTF-16 units. Time and memory grow with the product of both lengths. */
const MAX_CHARACTERS = 64;

/**
 * Returns the number of letters to insert, remove, replace or swap with their neighbour, to make one name from another.
 * Upper and lower case are the same. Only the first 64 UTF-16 units of each name count.
 */
export function editDistance(one: string, other: string): number {
  const a = one.slice(0, MAX_CHARACTERS).toLowerCase();
  const b = other.slice(0, MAX_CHARACTERS).toLowerCase();
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced;
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] as number;

/** The largest number of letters in which a misspelt name differs from the name that was meant. */
const MAX_EDITS = 2;

/** Returns the known name that differs from `name` in the fewest letters, and in at most two; otherwise `undefined`. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.min(MAX_EDITS, name.length - 1) + 1;
  for (const known of names) {
    if (Math.abs(known.length - name.length) >= fewest) continue;
    const edits = editDistance(name, known);
    if (edits < fewest) [best, fewest] = [known, edits];
  }
  return best;
}
