import { REDACTED } from "@acp-kit/protocol/internal";
import { mergeSpans, type Span } from "./spans.js";

/** The limits of the secrets that are remembered. Others are hidden only where they were recognized. */
export interface SecretLimits {
  readonly maxSecrets: number;
  /** The maximum number of characters of all remembered secrets in all their forms. */
  readonly maxSecretChars: number;
}

/** The limits of every redactor. Each form of each secret is searched for in each text. */
export const secretLimits: SecretLimits = { maxSecrets: 256, maxSecretChars: 262_144 };

/** The length below which values are not searched for: `1`, `true` and `dev` occur in every text. */
const MIN_LENGTH = 6;

/** Shorter encoded forms of a secret are not searched for, because other texts often contain them. */
const MIN_FORM = 8;

/**
 * If a text was cut off inside a secret, the text ends with the beginning of the secret. This beginning is hidden if it
 * has at least this number of characters.
 */
const SHOWN_PREFIX = 8;

const REDACTED_PREFIX = REDACTED.slice(0, -1);

/** The secrets in a text that was cut off. `pending` characters at its end may begin a secret. */
export interface Found {
  readonly spans: Span[];
  readonly pending: number;
}

/** Remembers hidden values, and finds them in texts. */
export class SecretStore {
  readonly #limits: SecretLimits;
  readonly #secrets = new Set<string>();
  readonly #forms = new Set<string>();
  #chars = 0;
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
   * Remembers a value, line by line. The store never removes a value to remember another: otherwise, one peer
   * could send so many values that the store forgets the secrets of the other peer.
   */
  add(value: string): void {
    for (const line of value.split(/[\r\n]+/)) {
      const secret = line.trim();
      if (secret.length < MIN_LENGTH || secret.startsWith(REDACTED_PREFIX) || this.#secrets.has(secret)) continue;
      const { maxSecrets, maxSecretChars } = this.#limits;
      const hasRoom = this.#secrets.size < maxSecrets && this.#chars + secret.length <= maxSecretChars;
      const forms = hasRoom ? formsOf(secret) : [];
      const chars = this.#chars + forms.reduce((sum, { length }) => sum + length, 0);
      if (!hasRoom || chars > maxSecretChars) {
        this.#isFull = true;
        return;
      }
      this.#secrets.add(secret);
      this.#chars = chars;
      for (const form of forms) this.#forms.add(form);
    }
  }

  /** Finds secrets in a text. */
  find(text: string): Span[] {
    const spans: Span[] = [];
    for (const form of this.#forms) if (form.length <= text.length) addOccurrences(text, form, spans);
    return mergeSpans(spans);
  }

  /** Finds secrets in a text that was cut off, and the beginning of a secret at its end. */
  findInCut(text: string): Found {
    const spans = this.find(text);
    let pending = 0;
    for (const form of this.#forms) pending = Math.max(pending, beginningAtEnd(text, form));
    if (pending >= SHOWN_PREFIX) spans.push({ start: text.length - pending, end: text.length });
    return { spans, pending };
  }
}

/** Adds all occurrences of a form. Those that overlap become one span, so that a repetitive text needs few. */
function addOccurrences(text: string, form: string, spans: Span[]): void {
  let at = text.indexOf(form);
  while (at !== -1) {
    const start = at;
    let end = at + form.length;
    for (at = text.indexOf(form, at + 1); at !== -1 && at <= end; at = text.indexOf(form, at + 1))
      end = at + form.length;
    spans.push({ start, end });
  }
}

/** Returns the number of characters at the end of a text that are the beginning of a form, but not all of it. */
function beginningAtEnd(text: string, form: string): number {
  const first = form[0] as string;
  const from = Math.max(0, text.length - form.length + 1);
  for (let at = text.indexOf(first, from); at !== -1; at = text.indexOf(first, at + 1)) {
    if (form.startsWith(text.slice(at))) return text.length - at;
  }
  return 0;
}

/**
 * Returns the forms in which a secret is searched for: unchanged, in JSON (also in JSON in JSON), percent-encoded as
 * `encodeURIComponent` and as forms do, and in base64. A value with other escapes is not found.
 */
function formsOf(secret: string): readonly string[] {
  const json = inJson(secret);
  const wellFormed = secret.replace(/\p{Surrogate}/gu, "\ufffd");
  const encoded = [
    json,
    inJson(json),
    inJson(inJson(json)),
    encodeURIComponent(wellFormed),
    new URLSearchParams([["", wellFormed]]).toString().slice(1),
    ...base64Forms(secret).flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]),
  ];
  return [...new Set([secret, ...encoded.filter(({ length }) => length >= MIN_FORM)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Returns the base64 forms of a text that begins at the first, second or third byte of a group. Characters that also
 * depend on the bytes before and after the text are left out.
 */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return [0, 1, 2].map((offset) => {
    const all = btoa("\0".repeat(offset) + binary);
    return all.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  });
}
