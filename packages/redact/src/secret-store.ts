import { formsOf } from "./encodings.js";
import { PatternSearch } from "./pattern-search.js";
import { REDACTED } from "./secret-names.js";
import type { Span } from "./spans.js";

/** The limits of the secrets that a redactor remembers. Secrets above these limits are hidden only where they were recognized. */
export interface SecretLimits {
  /** The maximum number of remembered secrets. */
  readonly maxSecrets: number;
  /**
   * The maximum number of characters of all remembered secrets together. All encoded forms of a secret count, such as base64: a
   * typical token has about five times its own number of characters. The memory of a redactor grows with this number.
   */
  readonly maxSecretChars: number;
}

/**
 * If a text was cut off inside a secret, the text ends with the beginning of the secret. This beginning is hidden if it
 * has at least this number of characters.
 */
const SHOWN_PREFIX = 8;

/** A longer secret is searched for in pieces of this length, so that a part of it is found, too. */
const PIECE = 512;

/** Remembers hidden values, and finds them in texts. */
export class SecretStore {
  readonly #limits: SecretLimits;
  readonly #secrets = new Set<string>();
  #chars = 0;
  readonly #search = new PatternSearch();
  #isFull = false;

  constructor(limits: SecretLimits) {
    this.#limits = limits;
  }

  /** Whether a value could not be remembered. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /**
   * Remembers a value, line by line and in pieces. The store never removes a value to remember another: otherwise, one peer
   * could send so many values that the store forgets the secrets of the other peer.
   */
  add(value: string): void {
    for (const line of value.split(/[\r\n]+/)) {
      for (let start = 0; start < line.length; start += PIECE) {
        const from = start > 0 ? Math.max(0, Math.min(start, line.length - PIECE)) : 0;
        this.#addPiece(line.slice(from, from + PIECE));
        if (this.#isFull) return;
      }
    }
  }

  /** Finds secrets in a text. `pending` is the number of characters at the end of the text that may be the beginning of a secret. */
  find(text: string): { readonly spans: Span[]; readonly pending: number } {
    if (this.isEmpty) return { spans: [], pending: 0 };
    return this.#search.scan(text);
  }

  /** Does the same as {@link find} for a text that was cut off, and also finds the beginning of a secret at its end. */
  findInCut(text: string): { readonly spans: Span[]; readonly pending: number } {
    const { spans, pending } = this.find(text);
    if (pending >= SHOWN_PREFIX) spans.push({ start: text.length - pending, end: text.length });
    return { spans, pending };
  }

  #addPiece(piece: string): void {
    const secret = piece.trim();
    if (secret.length < MIN_LENGTH || secret.startsWith(REDACTED_PREFIX) || this.#secrets.has(secret)) return;
    const forms = this.#formsWithinLimits(secret);
    if (forms === undefined) {
      this.#isFull = true;
      return;
    }
    this.#secrets.add(secret);
    this.#chars += lengthOf(forms);
    this.#search.add(forms);
  }

  #formsWithinLimits(secret: string): ReadonlySet<string> | undefined {
    const { maxSecrets, maxSecretChars } = this.#limits;
    const room = maxSecretChars - this.#chars;
    if (this.#secrets.size >= maxSecrets || secret.length > room) return undefined;
    const forms = formsOf(secret);
    return lengthOf(forms) > room ? undefined : forms;
  }
}

function lengthOf(texts: Iterable<string>): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

/** The length below which values are not searched for: `1`, `true` and `dev` occur in every text. */
const MIN_LENGTH = 6;

const REDACTED_PREFIX = REDACTED.slice(0, -1);
