/**
 * Returns a function that tests whether a text contains a string or matches a pattern. The function ignores the
 * position that a pattern with the flag `g` or `y` keeps.
 */
export function matcher(what: string | RegExp): (text: string) => boolean {
  if (typeof what === "string") return (text) => text.includes(what);
  const pattern = new RegExp(what.source, what.flags.replace(/[gy]/g, ""));
  return (text) => pattern.test(text);
}
