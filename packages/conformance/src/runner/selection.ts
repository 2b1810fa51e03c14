/** The ids that select checks for a run. */
export interface Selection {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

/** The parts of a check by which it is selected. */
export interface Selectable {
  readonly id: string;
  readonly verifies: readonly string[];
}

/** Selects checks. */
export type Wanted = (check: Selectable) => boolean;

/** Returns whether a check has an id that starts with a wish, or verifies the rule that the wish names. */
export function hits(wish: string, { id, verifies }: Selectable): boolean {
  return id.startsWith(wish) || verifies.includes(wish);
}

/** Returns whether a check is among those to run. */
export function wantedBy({ only = [], skip = [] }: Selection): Wanted {
  return (check) => (only.length === 0 || only.some((wish) => hits(wish, check))) && !isSkipped(check, skip);
}

/** Returns whether a check is among those to leave out. */
export function isSkipped(check: Selectable, skip: readonly string[] = []): boolean {
  return skip.some((wish) => hits(wish, check));
}

/** Whether `only` names a watch by its id, or a rule that it verifies; its scenarios then run, too. */
export function isNamed({ id, verifies }: Selectable, only: readonly string[] = []): boolean {
  return only.some((wish) => wish === id || verifies.includes(wish));
}
