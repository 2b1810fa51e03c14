/** Joins the text blocks of a prompt or a message. Values that are not text blocks contribute nothing. */
export function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks
    .map((block: unknown) => (block as { readonly text?: unknown } | null | undefined)?.text)
    .filter((text) => typeof text === "string")
    .join("\n");
}
