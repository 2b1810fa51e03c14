import { isNameMember, type Place, placeOfItem, placeOfMember } from "@acp-kit/protocol/internal";
import { isSecretByName } from "./is-searchable.js";
import type { Span } from "./spans.js";

/** A secret in a text, and whether it is the value of a name like `token`. */
export interface NamedSpan extends Span {
  readonly isNamed: boolean;
}

interface Container {
  readonly isList: boolean;
  readonly place: Place;
  key: string;
  /** The text that names the member `value`: `API_KEY` in `{ "name": "API_KEY", "value": "X" }`. */
  sibling: string;
}

/** The maximum depth of objects and lists. Deeper content is read as if it were at this depth. */
const MAX_DEPTH = 200;
const MAX_KEY = 200;
/** Strings in JSON can contain JSON, and its strings again. This is the number of levels that are read. */
const MAX_NESTING = 4;

/**
 * Finds secrets in a text that contains JSON, by the names of their members. The JSON can be complete or cut off,
 * escaped in another JSON text, or in the form in which programs print objects
 * (`{ env: [ { name: 'A', value: 'B' } ] }`). The function skips other text, and reads the text once.
 */
export function secretsInJsonText(text: string): NamedSpan[] {
  const found: NamedSpan[] = [];
  read(text, found, 0, 0);
  return found;
}

/** Finds secrets in a part of the whole text, which starts at `offset`. */
function read(text: string, found: NamedSpan[], offset: number, nesting: number): void {
  const open: Container[] = [];
  let tooDeep = 0;
  for (let at = text.search(/[{[]/); at !== -1 && at < text.length; ) {
    const character = text[at] as string;
    const holder = open.at(-1);
    if (character === "{" || character === "[") {
      if (open.length < MAX_DEPTH) open.push(inside(holder, character === "["));
      else tooDeep += 1;
      at += 1;
    } else if (character === "}" || character === "]") {
      if (tooDeep > 0) tooDeep -= 1;
      else open.pop();
      at += 1;
    } else if (holder === undefined) {
      at = next(text, /[{[]/g, at);
    } else {
      const part = partAt(text, at);
      at = part.next;
      if (part.end <= part.start) {
        if (character === ",") holder.key = "";
      } else if (!holder.isList && holder.key === "" && isKeyEnd(text, at)) {
        holder.key = text.slice(part.start, Math.min(part.end, part.start + MAX_KEY));
      } else {
        const isSecret = readValue(text, part, holder, found, offset);
        if (!holder.isList) holder.key = "";
        const value = text.slice(part.start, part.end);
        if (!isSecret && nesting < MAX_NESTING && /[{[]/.test(value)) {
          read(value, found, offset + part.start, nesting + 1);
        }
      }
    }
  }
}

/** If the value is a secret, adds it to `found` and returns `true`. */
function readValue(text: string, { start, end }: Part, holder: Container, found: NamedSpan[], offset: number): boolean {
  const { key, sibling } = holder;
  const place = placeIn(holder, false);
  if (place === "secret" || place === "pair") {
    const value = text.slice(start, end);
    const isNamed = isSecretByName(key, value) || isSecretByName(sibling, value);
    found.push({ start: offset + start, end: offset + end, isNamed });
    return true;
  }
  if (isNameMember(key)) holder.sibling = text.slice(start, Math.min(end, start + MAX_KEY));
  return false;
}

function inside(holder: Container | undefined, isList: boolean): Container {
  const place = holder === undefined ? "plain" : placeIn(holder, !isList);
  return { isList, place, key: "", sibling: "" };
}

/** Returns the place of the next value in a container. */
function placeIn({ isList, place, key, sibling }: Container, isObject: boolean): Place {
  return isList ? placeOfItem(place) : placeOfMember(place, key, { sibling, isObject });
}

interface Part extends Span {
  readonly next: number;
}

const opening = /\\{0,7}["'`]/y;
const bareWord = /[^\s"'`\\{}[\],:]+/y;

/** Returns the part of the text at `at`: a string, a bare word, or an empty part for any other character. */
function partAt(text: string, at: number): Part {
  opening.lastIndex = at;
  const [quote] = opening.exec(text) ?? [];
  if (quote !== undefined) {
    const start = at + quote.length;
    const end = endOfString(text, start, quote);
    return { start, end, next: Math.min(text.length, end + quote.length) };
  }
  bareWord.lastIndex = at;
  const [word] = bareWord.exec(text) ?? [];
  if (word === undefined) return { start: at, end: at, next: at + 1 };
  return { start: at, end: at + (isConstant(word) ? 0 : word.length), next: at + word.length };
}

/**
 * Returns the end of a string, or the end of the text if the string is cut off. `quote` is the beginning of the string:
 * a quote with the backslashes before it, such as `\"`.
 */
function endOfString(text: string, start: number, quote: string): number {
  const mark = quote.at(-1) as string;
  const escapes = quote.length - 1;
  for (let at = text.indexOf(mark, start); at !== -1; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > start && text[at - backslashes - 1] === "\\") backslashes += 1;
    const isEnd = escapes === 0 ? backslashes % 2 === 0 : backslashes <= escapes;
    if (isEnd) return at - Math.min(escapes, backslashes);
  }
  return text.length;
}

const keyEnd = /\s{0,20}:/y;

function isKeyEnd(text: string, at: number): boolean {
  keyEnd.lastIndex = at;
  return keyEnd.test(text);
}

function isConstant(word: string): boolean {
  return /^(?:null|undefined|true|false|-?\d{1,5})$/.test(word);
}

function next(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
