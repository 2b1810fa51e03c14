import { type Place, placeInObject, placeOfItem, REDACTED } from "@acp-kit/protocol/internal";
import { bytesOf, textOfBytes, unfinishedCharacter } from "./byte-text.js";
import { isSearchable, isSecretByName } from "./is-searchable.js";
import { secretsInJsonText } from "./json-text.js";
import { type Mapping, mapValue } from "./map-value.js";
import { isMarker } from "./markers.js";
import { partsOf } from "./parts.js";
import { MAX_KEY, privateKeyInChunk, privateKeyLines } from "./private-key-lines.js";
import { type SecretLimits, SecretStore, secretLimits } from "./secret-store.js";
import { beginningOfSecret, endsInPrivateKey, secretsIn, secretsInWords } from "./secret-text.js";
import { bytesOfBase64, type TextPart, textPartsIn, withTextParts } from "./session-texts.js";
import { hideSpans, type Span } from "./spans.js";
import { type TextState, TextStates } from "./text-states.js";

/**
 * Hides secrets and remembers them: a value that was hidden once is hidden everywhere in later values and texts, also
 * in JSON, percent-encoded and in base64. Use one redactor for a connection, and for all recordings,
 * logs and output about that connection.
 *
 * A redactor recognizes a secret by its place (values of `env` and `headers`, members with names like `apiKey`, tokens
 * in `_meta`, flags like `--api-key X`, passwords in URLs) or by its form (`Bearer …`, `sk-…`, private keys). No method
 * throws, and each takes time linear in its input. A redactor remembers up to 256 secrets.
 */
export interface Redactor {
  /** Returns a JSON value without secrets; the same value if it has none. Never changes the given value. */
  redact(value: unknown): unknown;
  /**
   * Returns a function that redacts the messages of one connection, one message per call and each message once, as
   * {@link redact} does. A remembered secret that is split between two parts of a text, such as chunks, is hidden in
   * both; a secret with a well-known form is hidden from the chunk in which the form can be recognized. Each reader of
   * the messages, such as a tap or a recorder, needs a function of its own, because the function remembers the ends of
   * the chunks.
   */
  messages(): (message: unknown) => unknown;
  /** Returns a text, such as an error message or a log, without secrets. */
  redactText(text: string): string;
  /** Returns a command line without secrets. */
  redactCommand(words: readonly string[]): string[];
  /**
   * Returns a function that redacts the lines of one stream, one line per call. A secret that a line end splits is
   * hidden in both lines, and a private key in all its lines.
   */
  lines(): (line: string) => string;
  /** Remembers a secret that the application knows, to hide it everywhere. */
  addSecret(secret: string): void;
  /** Remembers the secrets of a JSON value, as {@link redact} does, without returning a copy. */
  learn(value: unknown): void;
  /** Whether there were too many secrets. Those above the limits are hidden only where they were recognized. */
  readonly isFull: boolean;
}

/**
 * Creates a redactor.
 *
 * @example
 * ```ts
 * const redactor = createRedactor();
 * redactor.learn({ mcpServers });
 * await using agent = await connectAgent(spawnAgent({ command }), { tap: redactingTap(log, redactor) });
 * // …
 * console.error(redactor.redactText(line));
 * ```
 */
export function createRedactor(): Redactor {
  return new SecretRedactor(secretLimits);
}

/** The place and the name of a value and, for a word of a command line, the part that is a secret. */
interface Position {
  readonly place: Place;
  readonly name: string;
  readonly word?: Span | undefined;
}

const top: Position = { place: "plain", name: "" };

/** The redactor, with limits that tests choose. */
export class SecretRedactor implements Redactor {
  readonly #store: SecretStore;
  /** The function of {@link messages} for {@link redact}. */
  readonly #redact = this.messages();
  readonly #hideByPlace: Mapping<Position>;
  /**
   * The mapping that hides remembered secrets. Its state is `true` in a member named `output`, because its text may
   * have been cut off in the middle of a secret.
   */
  readonly #hideKnown: Mapping<boolean>;

  constructor(limits: SecretLimits) {
    this.#store = new SecretStore(limits);
    this.#hideByPlace = {
      member: ({ place }, name, holder) => ({ place: placeInObject(place, name, holder), name }),
      items: ({ place, name }, list) => {
        const position = { place: placeOfItem(place), name };
        if (!mayBeWords(list)) return () => position;
        const spans = secretsInWords(list);
        return (index) => (spans[index] === undefined ? position : { ...position, word: spans[index] });
      },
      leaf: (value, position) => this.#leaf(value, position),
      name: (name) =>
        name.length < MIN_TOKEN || !/\d/.test(name) ? name : hideSpans(name, this.#learnFrom(name, false)),
    };
    this.#hideKnown = {
      member: (_, name) => name === "output",
      items: (isCut) => () => isCut,
      leaf: (value, isCut) => (typeof value === "string" ? this.#hideKnownIn(value, isCut) : value),
      name: (name) => this.#hideKnownIn(name, false),
    };
  }

  get isFull(): boolean {
    return this.#store.isFull;
  }

  redact(value: unknown): unknown {
    return this.#redact(value);
  }

  messages(): (message: unknown) => unknown {
    const states = new TextStates();
    return (message) => {
      const parts = textPartsIn(message).map((part) => arrivedPart(part, states));
      if (parts.length === 0) return this.#hideInMessage(message);
      // The other members are hidden first, because a secret of theirs may be in the texts, too.
      const own = parts.map(({ text }) => this.#learnFrom(text, false));
      const empty = withTextParts(message, Array<string>(parts.length).fill(""));
      const others = this.#hideInMessage(empty);
      const shown = parts.map((part, index) => this.#hideInPart(part, own[index] ?? [], states));
      return withTextParts(others === empty ? message : others, shown);
    };
  }

  learn(value: unknown): void {
    mapValue(value, top, this.#hideByPlace);
    for (const { value: base64, isBase64 } of textPartsIn(value))
      if (isBase64) this.#learnFrom(textOfBytes(bytesOfBase64(base64) ?? ""), false);
  }

  redactText(text: string): string {
    const spans = this.#learnFrom(text, true);
    return hideSpans(text, [...spans, ...this.#store.findInCut(text).spans]);
  }

  redactCommand(words: readonly string[]): string[] {
    const byPlace = mapValue(words, top, this.#hideByPlace) as readonly string[];
    return byPlace.map((word) => this.redactText(word));
  }

  lines(): (line: string) => string {
    let tail = "";
    const keyIn = privateKeyLines();
    return (line) => {
      const own = this.#learnFrom(line, true);
      const key = keyIn(line);
      this.#remember(line.slice(0, key), true);
      own.push({ start: 0, end: key });
      const known = this.#store.findInCut(tail + line);
      const shown = hideSpans(line, [...own, ...moved(known.spans, -tail.length)]);
      tail = tailOf(tail + line, known.pending);
      return shown;
    };
  }

  addSecret(secret: string): void {
    this.#store.add(secret);
  }

  #leaf(value: unknown, { place, name, word }: Position): unknown {
    if (typeof value === "number") return place === "secret" ? REDACTED : value;
    if (typeof value !== "string" || value === "" || isMarker(value)) return value;
    if (place === "secret") {
      this.#hidden(value, isSecretByName(name, value));
      return REDACTED;
    }
    if (place === "pair" || place === "pairs") return this.#assigned(value, place);
    const spans = this.#learnFrom(value, false);
    if (word !== undefined) {
      this.#hidden(value.slice(word.start, word.end), true);
      spans.push(word);
    }
    return hideSpans(value, spans);
  }

  /** Redacts a text `NAME=value`. Some clients use this form for the items of `env`. */
  #assigned(text: string, place: Place): string {
    const equals = text.search(/[=:]/);
    if (equals === -1 && place === "pairs") return text;
    const value = text.slice(equals + 1);
    this.#hidden(value, isSecretByName(text.slice(0, Math.max(0, equals)), value));
    return `${text.slice(0, equals + 1)}${REDACTED}`;
  }

  /** Finds secrets in a text by their form, and remembers them. */
  #learnFrom(text: string, isLog: boolean): Span[] {
    const spans: Span[] = secretsIn(text, isLog);
    for (const { start, end } of spans) {
      const secret = text.slice(start, end);
      for (const part of [secret, ...partsOf(secret)]) this.#remember(part, true);
    }
    if (isLog || /^\s{0,20}[{[]/.test(text)) {
      for (const span of secretsInJsonText(text)) {
        this.#hidden(text.slice(span.start, span.end), span.isNamed);
        spans.push(span);
      }
    }
    return spans;
  }

  /** Remembers a hidden value, and secrets inside it, such as a password in an address or a token after a scheme. */
  #hidden(value: string, isNamed: boolean): void {
    this.#remember(value, isNamed);
    for (const part of partsOf(value)) this.#remember(part, isNamed);
    for (const { start, end } of secretsIn(value, true)) this.#remember(value.slice(start, end), true);
    for (const { start, end, isNamed: named } of secretsInJsonText(value))
      this.#remember(value.slice(start, end), named);
  }

  #remember(value: string, isNamed: boolean): void {
    if (isSearchable(value, isNamed)) this.#store.add(value);
  }

  #hideKnownIn(text: string, isCut: boolean): string {
    return hideSpans(text, isCut ? this.#store.findInCut(text).spans : this.#store.find(text));
  }

  #hideInMessage(message: unknown): unknown {
    const byPlace = mapValue(message, top, this.#hideByPlace);
    return this.#store.isEmpty ? byPlace : mapValue(byPlace, false, this.#hideKnown);
  }

  /** Returns the value of a part without secrets, also those that began in an earlier part. */
  #hideInPart(part: ArrivedPart, own: Span[], states: TextStates): string {
    if (part.isStart) states.delete(part.key);
    const before = states.get(part.key);
    const { shown, tail, keyLeft } = this.#hideInText(part.text, own, before);
    const { text, rest } = part;
    const shownRest = shown !== text && shown.endsWith(REDACTED) ? "" : rest;
    states.set(part.key, { tail, keyLeft, rest, shownRest });
    if (shown === text && before.shownRest === before.rest) return part.value;
    if (!part.isBase64) return shown;
    const bytes = bytesOf(shown);
    return btoa(bytes.slice(commonStart(bytes, before.shownRest)) + shownRest);
  }

  /** Hides secrets in a text that continues another text, because a secret can begin in one and end in the next. */
  #hideInText(next: string, own: Span[], { tail, keyLeft }: TextState): HiddenText {
    const inKey = keyLeft > 0 ? privateKeyInChunk(tail, next) : 0;
    own.push({ start: 0, end: inKey });
    if (keyLeft > 0 && inKey === next.length) {
      return {
        shown: hideSpans(next, own),
        tail: (tail + next).slice(-KEY_TAIL),
        keyLeft: Math.max(0, keyLeft - next.length),
      };
    }
    const before = keyLeft > 0 ? "" : tail;
    const text = before + next.slice(inKey);
    const found = text === next ? own : [...secretsIn(text, false)];
    for (const { start, end } of found) {
      // A secret at the end of the text may not be complete yet. One at the end of the earlier text is complete now.
      if (start < before.length && end >= before.length && end < text.length)
        this.#remember(text.slice(start, end), true);
    }
    const known = this.#store.findInCut(text);
    const all = [...found, ...beginningOfSecret(text), ...known.spans];
    const isCut = endsInPrivateKey(text);
    return {
      shown: hideSpans(next, [...own, ...moved(all, inKey - before.length)]),
      tail: isCut ? text.slice(-KEY_TAIL) : unfinishedEnd(text, all, known.pending),
      keyLeft: isCut ? MAX_KEY : 0,
    };
  }
}

/** A part of a text as characters. */
interface ArrivedPart extends TextPart {
  /** The text, including the bytes of the earlier part that are the beginning of a character. */
  readonly text: string;
  /** The bytes at the end of the part that are the beginning of a character, and not in `text`. */
  readonly rest: string;
}

function arrivedPart(part: TextPart, states: TextStates): ArrivedPart {
  const bytes = part.isBase64 ? bytesOfBase64(part.value) : undefined;
  if (bytes === undefined) return { ...part, text: part.value, rest: "" };
  const all = (part.isStart ? "" : states.get(part.key).rest) + bytes;
  const rest = unfinishedCharacter(all);
  return { ...part, text: textOfBytes(all.slice(0, all.length - rest.length)), rest };
}

interface HiddenText {
  readonly shown: string;
  readonly tail: string;
  readonly keyLeft: number;
}

function commonStart(text: string, other: string): number {
  let length = 0;
  while (length < other.length && text[length] === other[length]) length += 1;
  return length;
}

/** A member's name below this length, or without a digit, contains no token with a well-known form. */
const MIN_TOKEN = 14;

/** The number of characters at the end of a text that are searched together with its next chunk. */
const CHUNK_TAIL = 128;

/** The same number if the end of the text is a secret, which the next chunk may continue. */
const SECRET_TAIL = 8_192;

/** How many characters at the end of a key are searched for its last line, together with the next chunk. */
const KEY_TAIL = 64;

/** Returns whether a list may be a command line with a secret in it. */
function mayBeWords(list: readonly unknown[]): boolean {
  return list.some((item) => typeof item === "string" && (item.startsWith("-") || item.includes("=")));
}

function moved(spans: readonly Span[], by: number): Span[] {
  return spans.map(({ start, end }) => ({ start: Math.max(0, start + by), end: end + by }));
}

function tailOf(text: string, pending: number): string {
  return pending === 0 ? "" : text.slice(-pending);
}

/**
 * Returns the end of a text that must be searched together with the next chunk: from the beginning of a secret that
 * reaches the end of the text; otherwise a few words, or the `pending` characters that may be the beginning of a
 * remembered secret.
 */
function unfinishedEnd(text: string, spans: readonly Span[], pending: number): string {
  const end = text.slice(-CHUNK_TAIL);
  // The end begins between two words: a part of a word could look like the beginning of a token.
  let from = text.length - end.length + (end.length < text.length ? Math.max(0, end.search(/\s/)) : 0);
  for (const span of spans) if (span.end === text.length) from = Math.min(from, span.start);
  return text.slice(Math.max(Math.min(from, text.length - pending), text.length - SECRET_TAIL));
}
