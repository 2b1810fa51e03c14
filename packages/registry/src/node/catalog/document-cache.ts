import { createHash } from "node:crypto";
import { join } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { readBounded } from "../files/read-bounded.js";
import { writeAtomically } from "../files/write-atomically.js";

/** The fetched text of a registry. */
export interface CachedDocument {
  readonly etag?: string;
  readonly lastModified?: string;
  /** When the text was fetched, and when the server last confirmed it (`checkedAt`), in ms since 1970. */
  readonly fetchedAt: number;
  readonly checkedAt: number;
  readonly text: string;
}

/** The cache of fetched registries, one file per key. A damaged file of the cache counts as missing. */
export class DocumentCache {
  readonly #directory: string;
  readonly #maxBytes: number;

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  async read(key: string): Promise<CachedDocument | undefined> {
    try {
      // JSON escapes can make the entry six times as long as its text.
      const text = await readBounded(this.#fileOf(key), this.#maxBytes * 6 + 65_536);
      const entry: unknown = text === undefined ? undefined : JSON.parse(text);
      return isEntry(entry) ? entry : undefined;
    } catch {
      return undefined; // the caller fetches the text again
    }
  }

  /** Writes an entry. Never rejects: without the cache, the next read takes longer. */
  async write(key: string, entry: CachedDocument): Promise<void> {
    const stored = { ...entry, sha256: sha256(entry.text) };
    await writeAtomically(this.#fileOf(key), JSON.stringify(stored)).catch(() => {});
  }

  #fileOf(key: string): string {
    return join(this.#directory, `${sha256(key).slice(0, 32)}.json`);
  }
}

/** Returns the SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isEntry(entry: unknown): entry is CachedDocument {
  return (
    isJsonObject(entry) &&
    typeof entry.text === "string" &&
    typeof entry.fetchedAt === "number" &&
    typeof entry.checkedAt === "number" &&
    entry.sha256 === sha256(entry.text)
  );
}
