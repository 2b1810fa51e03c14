const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for HTML and XML, in elements and in attributes: what a peer says must not become markup. */
export function escapeMarkup(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => names[character] ?? "");
}

/** Text without what XML forbids and what a terminal takes for a command. Line breaks and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (character) =>
    "\t\n".includes(character) ? character : "\uFFFD",
  );
}
