/** Returns the name of an extension method that no peer can have: `.invalid` is no vendor's, and the rest is random. */
export function unknownExtension(): string {
  return `_acp-kit.invalid/${Math.random().toString(36).slice(2)}`;
}
