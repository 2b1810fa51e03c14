import { isSecretName, SECRET_WORDS } from "@acp-kit/protocol/internal";
import { isMarkerStart } from "./markers.js";
import type { Span } from "./spans.js";

// The patterns are matched with texts of a peer, so each must take linear time. Therefore each pattern consumes the
// text that it has matched, begins only at the beginning of a run of its characters, or repeats only a bounded number
// of times. `secret-text.test.ts` runs each of them on its worst texts.

/** Matches tokens with a well-known form. */
const knownTokens = new RegExp(
  [
    String.raw`(?<![\w-])(?:[spr]k-[\w-]{16,}|[spr]k_(?:live|test)_\w{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})`,
    String.raw`(?<![\w-])(?:npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|gsk_\w{20,}|xai-[\w-]{20,}|pypi-[\w-]{20,}|dop_v1_\w{20,})`,
    String.raw`(?<![\w-])(?:xox[abeprs]-[A-Za-z0-9-]{10,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|A(?:KI|SI)A[A-Z0-9]{16}(?!\w))`,
    String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,4}`,
    String.raw`(?<=hooks\.slack\.com/)services/[\w/]{10,}`,
  ].join("|"),
  "g",
);

/** Matches `Bearer …` and `Basic …`, anywhere in a text. */
const schemes = /(?<!\w)(?:Bearer|Basic)(?:\s|%20|\+){1,3}([\w.~+/=-]{8,})/gi;

/** Matches the end of a private key in PEM. */
const privateKeyEnd = /-----END [A-Z ]{0,30}PRIVATE KEY-----/;

/** Matches a private key in PEM, complete or cut off. */
const privateKeys = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g;

/** Matches the text after `://`, up to whitespace or a quote. */
const addresses = /:(?:\\?\/){2}([^\s"'<>`]+)/g;

/** Matches parameters of a URL: `?name=value`, `&name=value`. */
const parameters = /[?&;#]([\w.~%[\]-]{1,64})=([^\s&#"'<>`;\\]+)/g;

/** Matches a flag: `--api-key=X`, `--api-key X`, without the next word, which may be a flag itself. */
const flags = /(?<![\w-])(--?[\w-]{1,80})(?:=|[ \t]{1,3})/g;

/** Matches the name in assignments such as `export API_KEY=X`, not in those of source code. */
const variables = new RegExp(`(?:${SECRET_WORDS.toUpperCase()})=(?![$<({\\s])`, "g");

/** Matches headers such as `X-Api-Key: X` or `Cookie: X`, to the end of the line or to a quote. */
const headers =
  /(?<![\w-])(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|secret|auth)):[ \t]{0,3}([^\r\n"'`\\]+)/gi;

/** Matches `Password=X` in a connection string. */
const connectionStrings = /;\s{0,3}(?:password|pwd)\s{0,3}=\s{0,3}([^;\s"']+)/gi;

/** Matches names in assignments of logs, such as `token: X` or `"apiKey": "X"`, also in JSON escaped in JSON. */
const assignments = new RegExp(String.raw`(?:${SECRET_WORDS})(?:\\{0,7}["'\x60])?\s{0,3}(?:[=:]|=>)\s{0,3}`, "gi");

/** Matches names after which the rest of the line is the secret. */
const restOfLineName = /(?:authorization|cookie)\W*$/i;

const quoted =
  /"(?:[^"\\\r\n]|\\.)*|'(?:[^'\\\r\n]|\\.)*|`(?:[^`\\]|\\.)*|\\{1,7}["'`](?:[^"'`\\]|\\(?!\\{0,7}["'`]))*/y;
const word = /[^\s"'`&,;)}\]\\]+/y;
const restOfLine = /\\{0,7}["'`]?[^"'`\r\n\\]+/y;

/** Matches values that are no secrets. */
const emptyValue = /^(?:null|undefined|true|false|none|\d{1,5})?$/i;

/**
 * Finds secrets in a text by their form or by the text before them.
 *
 * @param isLog whether the text is a log or part of a command line. If so, a value that is assigned to a name like
 * `token` counts as a secret. In other texts, this rule would hide large parts of source code.
 */
export function secretsIn(text: string, isLog: boolean): Span[] {
  const spans: Span[] = [];
  const add = (start: number, end: number): void => {
    if (end > start) spans.push({ start, end });
  };
  /** Adds the last part of a match, which is the secret. */
  const addLast = (match: RegExpMatchArray, part = ""): void => add(endOf(match) - part.length, endOf(match));

  for (const match of text.matchAll(knownTokens)) addLast(match, match[0]);
  for (const match of text.matchAll(schemes)) if (isCredential(match[1] ?? "")) addLast(match, match[1]);
  if (text.includes("PRIVATE KEY")) for (const match of text.matchAll(privateKeys)) addLast(match, match[0]);
  if (text.includes(":")) {
    for (const match of text.matchAll(addresses)) addCredentials(match[1] ?? "", endOf(match), add);
    for (const match of text.matchAll(headers)) addLast(match, match[1]);
  }
  if (text.includes("=")) {
    for (const match of text.matchAll(parameters)) if (isSecretParameter(match[1] ?? "")) addLast(match, match[2]);
    for (const match of text.matchAll(connectionStrings)) addLast(match, match[1]);
    addValues(text, variables, add, () => ({ value: aValue, minLength: 6 }));
  }
  if (text.includes("-")) {
    const minLength = isLog ? 1 : 6;
    addValues(text, flags, add, ([, flag = ""]) => (isSecretFlag(flag) ? { value: aValue, minLength } : undefined));
  }
  if (isLog) {
    addValues(text, assignments, add, ([name]) => ({
      value: restOfLineName.test(name) ? [restOfLine] : aValue,
      minLength: 1,
    }));
  }
  return spans;
}

/** Matches the beginning of a well-known token at a text's end, not a word such as `sk-learn`. */
const cutToken =
  /(?<![\w-])(?:[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|npm_|hf_|gsk_|xai-|pypi-|dop_v1_|xox[abeprs]-|AIza|ya29\.|A(?:KI|SI)A|eyJ)(?=[a-z_-]{0,40}[A-Z\d])[\w.-]{8,256}$/;

/** Matches the beginning of a password in an address, such as `://user:pass`, at a text's end. A port is none. */
const cutPassword = /:\/\/[^\s/?#@:["'<>`]{0,100}:(?=\d{0,10}[^\d\s@])([^\s/?#@"'<>`\\]{1,256})$/;

/** The number of characters at the end of a text that are searched for the beginning of a secret. */
const CUT = 400;

/** Finds the beginning of a secret at the end of a text of which only a part has arrived. */
export function beginningOfSecret(text: string): Span[] {
  const end = text.slice(-CUT);
  const found = cutToken.exec(end)?.[0] ?? cutPassword.exec(end)?.[1];
  return found === undefined ? [] : [{ start: text.length - found.length, end: text.length }];
}

/** Matches flags whose value is a secret. The value is the next word or the text after `=`. */
const secretFlag = new RegExp(`^--?(?:[\\w-]*[-_])?(?:${SECRET_WORDS}|pwd|pass|auth|key)$`, "i");

/** Matches query parameters of a URL that contain a secret although their name contains no word such as `token`. */
const secretParameter = /^(?:sig|signature|x-amz-signature|x-goog-signature|code|key|auth|jwt|pass|pwd|sid)$/i;

const MAX_FLAG = 200;

/** Returns whether this word of a command line is a flag whose value is a secret. */
function isSecretFlag(word: string): boolean {
  return word.length < MAX_FLAG && secretFlag.test(word);
}

/** Returns whether the value of a query parameter of this name is a secret. */
function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameter.test(name);
}

const aValue: readonly RegExp[] = [quoted, word];

interface Wanted {
  /** Sticky patterns for the value. The first one that matches is used. */
  readonly value: readonly RegExp[];
  readonly minLength: number;
}

/** Adds the value after each match of `names`. Does not search inside added values, to stay linear. */
function addValues(
  text: string,
  names: RegExp,
  add: (start: number, end: number) => void,
  wanted: (match: RegExpExecArray) => Wanted | undefined,
): void {
  const pattern = new RegExp(names);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const at = pattern.lastIndex;
    const want = wanted(match);
    if (want === undefined) continue;
    // The flag has no value: the next word is another flag, which the next match finds.
    if (text.startsWith("--", at)) continue;
    const found = valueAt(text, at, want.value);
    if (found === undefined) continue;
    const opening = /^\\{0,7}["'`]?/.exec(found)?.[0].length ?? 0;
    const value = found.slice(opening);
    if (value.length < want.minLength || emptyValue.test(value) || isMarkerStart(value)) continue;
    add(at + opening, at + found.length);
    pattern.lastIndex = at + found.length;
  }
}

function valueAt(text: string, at: number, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a text ends inside a private key. */
export function endsInPrivateKey(text: string): boolean {
  if (!text.includes("PRIVATE KEY")) return false;
  const last = [...text.matchAll(privateKeys)].at(-1);
  return last !== undefined && !privateKeyEnd.test(last[0]);
}

/** Returns where the private key ends in which the text begins; `undefined` if all of it is the key. */
export function endOfPrivateKey(text: string): number | undefined {
  const end = privateKeyEnd.exec(text);
  return end === null ? undefined : endOf(end);
}

function endOf(match: RegExpMatchArray): number {
  return (match.index ?? 0) + match[0].length;
}

/** Returns whether the text after a scheme is a credential. For example, `of` in `Bearer of news` is not. */
function isCredential(text: string): boolean {
  return /\d/.test(text) || (text.length >= 16 && !/^[A-Za-z]?[a-z]+[.]?$/.test(text));
}

/** Adds the passwords in the text after `://`: of the address, and of addresses in its path or query. */
function addCredentials(addresses: string, end: number, add: (start: number, end: number) => void): void {
  let start = end - addresses.length;
  for (const address of addresses.split("://")) {
    const found = credentialsOf(address);
    if (found !== undefined) add(start + found.start, start + found.end);
    start += address.length + "://".length;
  }
}

/** Finds the password, or a token in its place, in `user:password@host/path`. */
function credentialsOf(address: string): Span | undefined {
  const path = address.search(/[/?#\\]/);
  const authority = path === -1 ? address : address.slice(0, path);
  const colon = authority.indexOf(":");
  let at = authority.lastIndexOf("@");
  // The password contains an unescaped slash.
  if (at === -1 && colon !== -1 && !/^\d*$/.test(authority.slice(colon + 1))) at = address.lastIndexOf("@");
  if (at === -1) return undefined;
  if (colon !== -1 && colon < at) return { start: colon + 1, end: at };
  return userName.test(authority.slice(0, at)) ? undefined : { start: 0, end: at };
}

/** Matches a user's name: short words and a number. Anything else before an address's `@` is a token. */
const userName = /^(?:[a-z]{1,15}[._+-])*[a-z]{1,15}\d{0,4}$/i;

/** Returns the secret part of each word of a command line, or `undefined` for a word without a secret. */
export function secretsInWords(words: readonly unknown[]): (Span | undefined)[] {
  return words.map((value, index) => {
    if (typeof value !== "string") return undefined;
    const before = words[index - 1];
    const equals = value.indexOf("=");
    if (typeof before === "string" && isSecretFlag(before) && !(value.startsWith("--") && isFlag(value)))
      return { start: 0, end: value.length };
    const [ownFlag] = attachedFlag.exec(value) ?? [];
    const flag = ownFlag?.replace(/=$/, "") ?? before;
    const mark = typeof flag === "string" ? markBefore(flag) : undefined;
    if (mark !== undefined) {
      const from = ownFlag?.length ?? 0;
      const at = value.indexOf(mark, from);
      // The value of `-e` is a program for `node -e` and `sed -e`.
      const isCode = flag === "-e" && !variableName.test(value.slice(from, at));
      if (at > 0 && !isCode) return { start: at + 1, end: value.length };
    }
    if (equals <= 0) return undefined;
    const name = value.slice(0, equals);
    if (isSecretFlag(name) || (/^[\w.-]+$/.test(name) && isSecretName(name)))
      return { start: equals + 1, end: value.length };
    return undefined;
  });
}

/** Matches a flag in its value's word; a short one only before a name, because `-encoding` is not `-e`. */
const attachedFlag = /^(?:--(?:header|env|user)=|-H(?=[\w-]+:)|-e(?=[A-Z_][A-Z0-9_]*=))/;

/** Matches the name of an environment variable. A name in small letters may be one in a program: `x=1`. */
const variableName = /^[A-Z_][A-Z0-9_]{0,199}$/;

/** Returns the character before the secret in the value of a flag, if the value contains a secret. */
function markBefore(flag: string): string | undefined {
  if (/^(?:-H|--header|-u|--user)$/.test(flag)) return ":";
  return /^(?:-e|--env)$/.test(flag) ? "=" : undefined;
}

function isFlag(word: string): boolean {
  return /^--[a-z][\w-]*$/i.test(word);
}
