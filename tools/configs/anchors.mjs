/** The anchor that GitHub gives a heading of a Markdown file: links to it hold in the repository, and on the site. */
export function gitHubAnchor(heading) {
  const words = heading.toLowerCase().replace(/[^\p{Letter}\p{Number}\s_-]/gu, "");
  return words.trim().replace(/\s/g, "-");
}
