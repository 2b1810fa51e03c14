/** Sorts checks by the first part of their ids, because a report has a heading for each of these parts. */
export function inOrderOf<Check extends { readonly id: string }>(
  groups: readonly string[],
  checks: readonly Check[],
): readonly Check[] {
  const rank = ({ id }: Check): number => groups.indexOf(id.slice(0, id.indexOf("/")));
  return checks.toSorted((one, other) => rank(one) - rank(other));
}
