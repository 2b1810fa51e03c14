/** A text that contains these words, or that the pattern finds. A pattern with `g` or `y` remembers where it was, which nobody means here. */
export function matcher(what: string | RegExp): (text: string) => boolean {
  if (typeof what === "string") return (text) => text.includes(what);
  const pattern = new RegExp(what.source, what.flags.replace(/[gy]/g, ""));
  return (text) => pattern.test(text);
}
