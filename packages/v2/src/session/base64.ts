/** Returns bytes, or the UTF-8 bytes of a text, in base64. */
export function base64Of(output: string | Uint8Array): string {
  const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
  let binary = "";
  // In pieces, because the number of arguments of a call is limited
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}
