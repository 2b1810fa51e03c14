/** Consecutive entries of one session and one epoch. */
export interface EntryRun {
  /** The row id of the session. */
  readonly place: number;
  /** The number of the first entry. */
  readonly first: number;
  readonly epoch: number;
  /** The time of the last append, in milliseconds since 1970. */
  readonly at: number;
  readonly texts: readonly string[];
}

/**
 * Returns the text of a row of `recent_appends`: a JSON line, which lists place, first number, epoch, time and the
 * lengths of the texts for each run, and then the texts without separators.
 */
export function recentRowText(runs: Iterable<EntryRun>): string {
  const heads: number[][] = [];
  let texts = "";
  for (const { place, first, epoch, at, texts: ofRun } of runs) {
    const head = [place, first, epoch, at];
    for (const text of ofRun) {
      head.push(text.length);
      texts += text;
    }
    heads.push(head);
  }
  return `${JSON.stringify(heads)}\n${texts}`;
}

/** Reads the text of a row. @throws {TypeError} or {SyntaxError} if {@link recentRowText} has not created the text. */
export function runsOfRecentRow(text: string): EntryRun[] {
  const end = text.indexOf("\n");
  const heads: unknown = JSON.parse(text.slice(0, end));
  let from = end + 1;
  if (!Array.isArray(heads)) throw new TypeError("A row of recent appends doesn't begin with a list");
  const runs = heads.map((head: unknown): EntryRun => {
    if (!Array.isArray(head) || head.length < 5 || !head.every(Number.isSafeInteger))
      throw new TypeError("A row of recent appends has a head that isn't a list of numbers");
    const [place, first, epoch, at, ...lengths] = head as [number, number, number, number, ...number[]];
    const texts = lengths.map((length) => {
      from += length;
      return text.slice(from - length, from);
    });
    return { place, first, epoch, at, texts };
  });
  if (from !== text.length) throw new TypeError("A row of recent appends has another length than it says");
  return runs;
}
