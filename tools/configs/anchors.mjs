/**
 * Returns the anchor that GitHub gives a heading of a Markdown file. Links to it work in the repository and on the
 * site.
 */
export function gitHubAnchor(heading) {
  const words = heading.toLowerCase().replace(/[^\p{Letter}\p{Number}\s_-]/gu, "");
  return words.trim().replace(/\s/g, "-");
}
