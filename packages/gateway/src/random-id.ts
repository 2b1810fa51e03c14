/**
 * Creates an id with 128 random bits, as 32 hexadecimal digits. Knowing an id grants no access: see `GatewayPrincipal`.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
