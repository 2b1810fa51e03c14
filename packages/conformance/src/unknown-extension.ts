/**
 * Returns the name of an extension method that no peer can have: `.invalid` belongs to no vendor, and the rest is
 * random.
 */
export function unknownExtension(): string {
  return `_acp-kit.invalid/${Math.random().toString(36).slice(2)}`;
}
