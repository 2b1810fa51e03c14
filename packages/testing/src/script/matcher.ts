/** Matches a text that contains these words, or that matches the pattern. A pattern with `g` or `y` keeps a position, which is ignored here. */
export function matcher(what: string | RegExp): (text: string) => boolean {
  if (typeof what === "string") return (text) => text.includes(what);
  const pattern = new RegExp(what.source, what.flags.replace(/[gy]/g, ""));
  return (text) => pattern.test(text);
}
