/** Reads a whole number between `least` (1 by default) and `most` from the arguments of a command. */
export function countOf(
  args: string,
  { fallback, least = 1, most }: { readonly fallback: number; readonly least?: number; readonly most: number },
): number {
  const count = Number.parseInt(args, 10);
  return Number.isNaN(count) ? fallback : Math.min(Math.max(count, least), most);
}
