/** Reads a whole number from the user's text, between 1 and `most`. */
export function countOf(
  args: string,
  { fallback, most }: { readonly fallback: number; readonly most: number },
): number {
  const count = Number.parseInt(args, 10);
  return Number.isNaN(count) ? fallback : Math.min(Math.max(count, 1), most);
}
