import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import type { Binding, IdMap } from "./id-map.js";

/** One member in which two messages differ. */
export interface Change {
  /** The path from the root of the message, such as `params.prompt[0].text`. */
  readonly path: string;
  readonly recorded: unknown;
  readonly live: unknown;
}

/** The result of comparing two messages. */
export interface Comparison {
  readonly changes: readonly Change[];
  /** The new bindings of ids and folders, if the two messages match. */
  readonly bindings: readonly Binding[];
}

/** The members that the comparison ignores: names of peers, and data outside of the protocol. */
const meaningless = new Set(["_meta", "clientInfo", "agentInfo", "info"]);

/**
 * Compares the meaning of a recorded value and a live value: corresponding ids and folders are equal; `null`, `false`
 * and an empty list equal a missing member; `_meta` and the names of the peers are ignored; a redacted value equals
 * anything, and a redacted part of a text any text.
 */
export function compare(recorded: unknown, live: unknown, ids: IdMap, path: string): Comparison {
  const comparer = new Comparer(ids);
  comparer.compare(recorded, live, path, "");
  return { changes: comparer.changes, bindings: comparer.bindings };
}

class Comparer implements Comparison {
  readonly changes: Change[] = [];
  readonly bindings: Binding[] = [];
  readonly #ids: IdMap;
  readonly #bound = new Map<string, Binding>();

  constructor(ids: IdMap) {
    this.#ids = ids;
  }

  compare(recorded: unknown, live: unknown, path: string, member: string): void {
    if (meaningless.has(member) || isRedacted(recorded)) return;
    const space = this.#ids.spaceOf(member);
    if (space !== undefined && isScalar(recorded) && isScalar(live)) this.#compareIds(space, recorded, live, path);
    else if (typeof recorded === "string" && typeof live === "string") this.#compareTexts(recorded, live, path);
    else if (Array.isArray(recorded) && Array.isArray(live)) this.#compareLists(recorded, live, path, member);
    else if (isJsonObject(recorded) && isJsonObject(live)) this.#compareObjects(recorded, live, path);
    else if (!(recorded === live || (isNothing(recorded) && isNothing(live))))
      this.changes.push({ path, recorded, live });
  }

  #compareIds(space: string, recorded: unknown, live: unknown, path: string): void {
    const bound = this.#bound.get(`${space} ${String(recorded)}`);
    const match = bound === undefined ? this.#ids.match(space, recorded, live) : bound.live === live;
    if (match === false) this.changes.push({ path, recorded, live });
    else if (match !== true) this.#bind(match);
  }

  #bind(binding: Binding): void {
    this.bindings.push(binding);
    const key = `${binding.space} ${binding.recorded}`;
    if (!this.#bound.has(key)) this.#bound.set(key, binding);
  }

  #compareTexts(recorded: string, live: string, path: string): void {
    if (!isSameText(recorded, live) && !isSameText(this.#ids.path(recorded), live))
      this.changes.push({ path, recorded, live });
  }

  #compareLists(recorded: readonly unknown[], live: readonly unknown[], path: string, member: string): void {
    const isShort = recorded.length <= MOST_OPTIONS && live.length <= MOST_OPTIONS;
    if (member === "options" && isShort && recorded.every(isOption) && live.every(isOption)) {
      this.#compareOptions(recorded, live, path);
      return;
    }
    const length = Math.max(recorded.length, live.length);
    for (let index = 0; index < length; index += 1) {
      this.compare(recorded[index], live[index], `${path}[${index}]`, member);
    }
  }

  /** Compares permission options by their kinds, in any order, because their ids are new in each request. */
  #compareOptions(recorded: readonly Option[], live: readonly Option[], path: string): void {
    const left = [...live];
    for (const [index, option] of recorded.entries()) {
      const same = left.find(({ kind, name }) => kind === option.kind && name === option.name);
      const other = same ?? left.find(({ kind }) => kind === option.kind);
      const at = `${path}[${index}]`;
      if (other === undefined) {
        this.changes.push({ path: at, recorded: option, live: undefined });
        continue;
      }
      left.splice(left.indexOf(other), 1);
      this.#bind({ space: "option", recorded: option.optionId, live: other.optionId });
      this.compare({ ...option, optionId: "" }, { ...other, optionId: "" }, at, "");
    }
    for (const option of left) this.changes.push({ path: `${path}[+]`, recorded: undefined, live: option });
  }

  #compareObjects(recorded: object, live: object, path: string): void {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
      const values = [recorded, live].map((holder) =>
        Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined,
      );
      this.compare(values[0], values[1], path === "" ? name : `${path}.${name}`, name);
    }
  }
}

/** The maximum number of compared options: comparing thousands in any order is quadratic. */
const MOST_OPTIONS = 100;

interface Option {
  readonly optionId: string;
  readonly kind: string;
  readonly name?: unknown;
}

function isOption(value: unknown): value is Option {
  if (!isJsonObject(value)) return false;
  const { optionId, kind } = value as Partial<Option>;
  return typeof optionId === "string" && typeof kind === "string";
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function isRedacted(value: unknown): boolean {
  if (typeof value !== "string") return false;
  return value === REDACTED || /^\[redacted: \d+ characters\]$/.test(value) || value.startsWith(REDACTED_BYTES);
}

/** The text in place of a secret. In a longer recorded text, it stands for any text. */
const REDACTED = "[redacted]";
/** The beginning of bytes in base64 that begin with a redacted text. */
const REDACTED_BYTES = btoa("[redacted");

function isSameText(recorded: string, live: string): boolean {
  if (recorded === live) return true;
  if (!recorded.includes(REDACTED)) return false;
  const [first = "", ...others] = recorded.split(REDACTED);
  const last = others.pop() ?? "";
  if (!live.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = live.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return live.length - at >= last.length && live.endsWith(last);
}
