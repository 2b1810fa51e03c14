import { createHash } from "node:crypto";
import { join } from "node:path";
import { readBounded } from "../files/read-bounded.js";
import { writeAtomically } from "../files/write-atomically.js";
import { isObject } from "./decode-members.js";

/** A registry's text as it was last fetched. */
export interface CachedDocument {
  readonly etag?: string;
  readonly lastModified?: string;
  /** When the text arrived, and when the server last confirmed it; in milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly checkedAt: number;
  readonly text: string;
}

/** Registries that were fetched, one file for each key. A damaged entry counts as missing. */
export class DocumentCache {
  readonly #directory: string;
  readonly #maxBytes: number;

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  async read(key: string): Promise<CachedDocument | undefined> {
    try {
      // JSON escapes make the entry longer than its text.
      const text = await readBounded(this.#fileOf(key), this.#maxBytes * 6 + 65_536);
      const entry: unknown = text === undefined ? undefined : JSON.parse(text);
      return isEntry(entry) ? entry : undefined;
    } catch {
      return undefined; // it is fetched again
    }
  }

  /** Never rejects: a cache that can't be written costs only time. */
  async write(key: string, entry: CachedDocument): Promise<void> {
    const stored = { ...entry, sha256: sha256(entry.text) };
    await writeAtomically(this.#fileOf(key), JSON.stringify(stored)).catch(() => {});
  }

  #fileOf(key: string): string {
    return join(this.#directory, `${sha256(key).slice(0, 32)}.json`);
  }
}

/** The SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isEntry(entry: unknown): entry is CachedDocument {
  return (
    isObject(entry) &&
    typeof entry.text === "string" &&
    typeof entry.fetchedAt === "number" &&
    typeof entry.checkedAt === "number" &&
    entry.sha256 === sha256(entry.text)
  );
}
