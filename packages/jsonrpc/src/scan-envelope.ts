import { endOfString } from "./json-string.js";
import type { RequestId } from "./message.js";

/**
 * A message whose JSON text was scanned and not parsed. `params`, `result` and `error` are parsed when they are read,
 * and throw a `SyntaxError` if they are not JSON.
 */
export interface ScannedMessage {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The members of messages, as bits of a set. */
const JSONRPC = 1;
const ID = 2;
const METHOD = 4;
const PARAMS = 8;
const RESULT = 16;
const ERROR = 32;
const members: ReadonlyMap<string, number> = new Map([
  ["jsonrpc", JSONRPC],
  ["id", ID],
  ["method", METHOD],
  ["params", PARAMS],
  ["result", RESULT],
  ["error", ERROR],
]);
const LONGEST_NAME = 7;

/** Whether a message with these members is valid: a notification, a request, or one of the two forms of a response. */
function isForm(found: number): boolean {
  switch (found) {
    case JSONRPC | METHOD:
    case JSONRPC | METHOD | PARAMS:
    case JSONRPC | ID | METHOD:
    case JSONRPC | ID | METHOD | PARAMS:
    case JSONRPC | ID | RESULT:
    case JSONRPC | ID | ERROR:
      return true;
    default:
      return false;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Finds the members of a JSON-RPC message in its text, so that the text can be forwarded without parsing it.
 *
 * Every receiver must read the same message as the code that decides by the result. So the scanner gives up and returns
 * `undefined`, and the caller parses the text, if names are repeated, escaped or different only in case, if there is no
 * message of one form, or if the text has several lines. Of a text that is JSON it reports
 * what `JSON.parse` finds; it does not check that the text within `params`, `result` and `error` is JSON.
 */
export function scanEnvelope(text: string): ScannedMessage | undefined {
  if (text.includes("\n") || text.includes("\r")) return undefined; // a transport may separate messages by lines
  let at = afterSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  let found = 0;
  let id: RequestId | undefined;
  let method: string | undefined;
  let begin = 0;
  let end = 0;
  do {
    const nameAt = afterSpace(text, at + 1);
    if (text.charCodeAt(nameAt) !== QUOTE) return undefined;
    const nameEnd = text.indexOf('"', nameAt + 1);
    if (nameEnd === -1) return undefined;
    const name = text.slice(nameAt + 1, nameEnd);
    if (name.includes("\\")) return undefined;
    const colon = afterSpace(text, nameEnd + 1);
    if (text.charCodeAt(colon) !== COLON) return undefined;
    const valueAt = afterSpace(text, colon + 1);
    const valueEnd = endOfValue(text, valueAt);
    if (valueEnd === -1) return undefined;
    const member = members.get(name);
    if (member === undefined) {
      if (name.length <= LONGEST_NAME && members.has(name.toLowerCase())) return undefined;
    } else {
      if ((found & member) !== 0) return undefined;
      found |= member;
      switch (member) {
        case JSONRPC:
          if (text.slice(valueAt, valueEnd) !== '"2.0"') return undefined;
          break;
        case ID:
          id = idOf(text.slice(valueAt, valueEnd));
          if (id === undefined) return undefined;
          break;
        case METHOD:
          method = plainString(text.slice(valueAt, valueEnd));
          if (method === undefined) return undefined;
          break;
        default:
          begin = valueAt;
          end = valueEnd;
      }
    }
    at = afterSpace(text, valueEnd);
  } while (text.charCodeAt(at) === COMMA);
  if (text.charCodeAt(at) !== CLOSE_OBJECT || afterSpace(text, at + 1) !== text.length || !isForm(found))
    return undefined;
  if (method !== undefined) return new ScannedCall(id, method, begin === 0 ? undefined : text.slice(begin, end));
  const body = text.slice(begin, end);
  return (found & RESULT) !== 0 ? new ScannedResult(id as RequestId, body) : new ScannedError(id as RequestId, body);
}

class Scanned {
  readonly jsonrpc = "2.0";
  readonly #text: string | undefined;
  #value: unknown;
  #isRead = false;

  constructor(text: string | undefined) {
    this.#text = text;
  }

  protected read(): unknown {
    if (!this.#isRead && this.#text !== undefined) this.#value = JSON.parse(this.#text);
    this.#isRead = true;
    return this.#value;
  }
}

/** A request, or a notification if it has no id. */
class ScannedCall extends Scanned implements ScannedMessage {
  declare readonly id?: RequestId;
  readonly method: string;

  constructor(id: RequestId | undefined, method: string, params: string | undefined) {
    super(params);
    if (id !== undefined) this.id = id;
    this.method = method;
  }

  get params(): unknown {
    return this.read();
  }

  toJSON(): object {
    return { ...this, params: this.params };
  }
}

class ScannedResponse extends Scanned {
  readonly id: RequestId;

  constructor(id: RequestId, body: string) {
    super(body);
    this.id = id;
  }
}

class ScannedResult extends ScannedResponse implements ScannedMessage {
  get result(): unknown {
    return this.read();
  }

  toJSON(): object {
    return { ...this, result: this.result };
  }
}

class ScannedError extends ScannedResponse implements ScannedMessage {
  get error(): unknown {
    return this.read();
  }

  toJSON(): object {
    return { ...this, error: this.error };
  }
}

/** Returns the index of the first character that is not white space. Line breaks were excluded. */
function afterSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09) return at;
    at += 1;
  }
}

/** Returns the index after the value at `start`, or -1 if there is none. */
function endOfValue(text: string, start: number): number {
  switch (text.charCodeAt(start)) {
    case QUOTE:
      return afterString(text, start);
    case OPEN_OBJECT:
    case OPEN_ARRAY:
      return endOfContainer(text, start);
    default:
      return endOfScalar(text, start);
  }
}

function endOfScalar(text: string, start: number): number {
  const scalar = /(?:true|false|null|-?\d[-+.\dEe]*)/y;
  scalar.lastIndex = start;
  return scalar.test(text) ? scalar.lastIndex : -1;
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth += 1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function afterString(text: string, start: number): number {
  const end = endOfString(text, start);
  return end === text.length ? -1 : end + 1;
}

/** Returns the value of a string without escapes. */
function plainString(json: string): string | undefined {
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : undefined;
}

function idOf(json: string): RequestId | undefined {
  if (json === "null") return null;
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(json)) return Number(json);
  return plainString(json);
}
