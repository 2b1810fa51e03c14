/** The WebSocket sub-protocol that the server selects. A browser sends its token as a second sub-protocol. */
export const WEB_SOCKET_PROTOCOL = "acp";
const TOKEN_PROTOCOL = "acp.bearer.";

/** Returns sub-protocols with a token: browsers can't set headers of an upgrade, and servers log URLs. */
export function tokenProtocols(token: string): string[] {
  return [WEB_SOCKET_PROTOCOL, TOKEN_PROTOCOL + base64Url(token)];
}

/** Returns the token in the offered sub-protocols. */
export function tokenOfProtocols(header: string | null): string | undefined {
  const protocol = header?.split(",").find((name) => name.trim().startsWith(TOKEN_PROTOCOL));
  if (protocol === undefined) return undefined;
  try {
    const base64 = protocol.trim().slice(TOKEN_PROTOCOL.length).replaceAll("-", "+").replaceAll("_", "/");
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function base64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
