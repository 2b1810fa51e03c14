import { createHash } from "node:crypto";
import type { Scope, SessionKey } from "@acp-kit/gateway/engine";

/** Escapes NUL, which PostgreSQL can't store. Journal entries need no escape, because JSON contains no NUL. */
export function storable(text: string): string {
  if (!text.includes("\u0000") && !text.includes("\u0001")) return text;
  return text.replaceAll("\u0001", "\u00011").replaceAll("\u0000", "\u00010");
}

/** Reverses {@link storable}. */
export function storedText(text: string): string {
  if (!text.includes("\u0001")) return text;
  const [first = "", ...rest] = text.split("\u0001");
  return first + rest.map((part) => (part.startsWith("0") ? "\u0000" : "\u0001") + part.slice(1)).join("");
}

/** Returns a digest of fixed length for a scope, because an index can't contain long texts. */
export function scopeDigest({ tenant, user }: Scope): Buffer {
  return digest([tenant, user]);
}

/** Returns a digest of fixed length for the key of a session, like {@link scopeDigest}. */
export function keyDigest({ scope: { tenant, user }, sessionId }: SessionKey): Buffer {
  return digest([tenant, user, sessionId]);
}

function digest(parts: readonly string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
