const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for HTML and XML elements and attributes: text of a peer must not become markup. */
export function escapeMarkup(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => names[character] ?? "");
}

/** Removes the control characters that XML forbids and that a terminal interprets. Line breaks and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (character) =>
    "\t\n".includes(character) ? character : "\uFFFD",
  );
}
