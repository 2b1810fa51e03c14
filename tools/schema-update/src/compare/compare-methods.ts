import { type Direction, type Method, paramsDirections, reversed, sameSide } from "../normalize/methods.js";
import type { Model } from "../normalize/model.js";
import { adoptNames } from "./adopt-names.js";
import { type Comparison, type Pair, pairOf } from "./comparison.js";
import { conjunction } from "./describe.js";
import { membersRequired } from "./effective.js";
import { heirOf } from "./method-heir.js";

/** One change of a method. */
export interface MethodNews {
  readonly name: string;
  readonly side: string;
  readonly kind: "request" | "notification";
  readonly change: "added" | "removed" | "changed";
  readonly class: "breaking" | "additive";
  /** The sides whose code breaks: `agent`, `client`, … */
  readonly affects: readonly string[];
  /** The sentence about the change, without the method's name at its beginning. */
  readonly says: string;
  /** The definitions that are added or removed with the method. */
  readonly definitions: readonly string[];
}

/** A pair of definitions at the root of a message, and the side that writes it. */
export interface Root {
  readonly pair: Pair;
  readonly direction: Direction;
  /** The method's name for sentences: `session/prompt`. */
  readonly method: string;
}

export interface MethodComparison {
  readonly news: readonly MethodNews[];
  readonly roots: readonly Root[];
}

/** Compares the method tables and finds the pairs of definitions to compare first. */
export function compareMethods(comparison: Comparison): MethodComparison {
  const news: MethodNews[] = [];
  const roots: Root[] = [];
  const known = tables(comparison.before, comparison.after);
  const before = split(known.before, known.after);
  const after = split(known.after, known.before);
  const fresh = new Set(after);
  const gone: Method[] = [];
  for (const a of before) {
    const b = [...fresh].find((one) => one.name === a.name && sameSide(one.side, a.side) && one.kind === a.kind);
    if (b === undefined) gone.push(a);
    else {
      fresh.delete(b);
      roots.push(...compareMethod(comparison, a, b, news));
    }
  }
  for (const a of gone) {
    const b = [...fresh].find(
      ({ name, side }) =>
        name === a.name && (side === a.side || !before.some((one) => one.name === name && one.side === side)),
    );
    if (b === undefined) {
      news.push({
        ...about(a),
        change: "removed",
        class: "breaking",
        affects: callers(a),
        says: removedSays(a, heirOf(comparison, a, [...fresh])),
        definitions: payloads(a),
      });
      continue;
    }
    fresh.delete(b);
    roots.push(...compareMethod(comparison, a, b, news));
    const says = [
      a.side === b.side ? "" : `is handled by ${the(b.side)} now, was by ${the(a.side)}`,
      a.kind === b.kind ? "" : `is a ${b.kind} now, was a ${a.kind}`,
    ];
    news.push({
      ...about(b),
      change: "changed",
      class: "breaking",
      affects: [...new Set([...callers(a), ...handlers(a)])],
      says: says.filter((part) => part !== "").join(" and "),
      definitions: [],
    });
  }
  for (const b of fresh) {
    news.push({
      ...about(b),
      change: "added",
      class: "additive",
      affects: [],
      says: b.named ? "is new" : "is new; the file does not contain its method name",
      definitions: payloads(b),
    });
  }
  return { news, roots };
}

/** Returns both method tables, each with the names that only the other file has. */
function tables(before: Model, after: Model): { before: readonly Method[]; after: readonly Method[] } {
  // A name without a definition comes from `meta.json`. If the other file has no `meta.json`, a missing name is not a change.
  const proven = (model: Model, other: Model): readonly Method[] =>
    model.methods.filter(({ params, result }) => other.hasMeta || params !== undefined || result !== undefined);
  const [a, b] = [proven(before, after), proven(after, before)];
  return { before: adoptNames(a, b), after: adoptNames(b, a) };
}

/** Splits a method of `both` sides into a method for each side, if the other file contains two methods. */
function split(methods: readonly Method[], others: readonly Method[]): readonly Method[] {
  return methods.flatMap((method) => {
    const apart =
      method.side === "both" &&
      others.some(({ name, side }) => name === method.name && (side === "agent" || side === "client"));
    return apart
      ? [
          { ...method, side: "agent" },
          { ...method, side: "client" },
        ]
      : [method];
  });
}

function compareMethod(comparison: Comparison, a: Method, b: Method, news: MethodNews[]): readonly Root[] {
  const roots: Root[] = [];
  for (const payload of ["params", "result"] as const) {
    const before = a[payload];
    const after = b[payload];
    if (before !== undefined && after !== undefined) {
      const pair = pairOf(comparison, before, after);
      for (const direction of paramsDirections(b.side)) {
        roots.push({ pair, direction: payload === "params" ? direction : reversed(direction), method: b.name });
      }
    } else if (before !== after && a.kind === b.kind) {
      news.push({ ...about(b), change: "changed", ...payloadNews(comparison, a, b, payload) });
    }
  }
  return roots;
}

/** Compares params or a result that only one of the files describes. */
function payloadNews(
  comparison: Comparison,
  a: Method,
  b: Method,
  payload: "params" | "result",
): Pick<MethodNews, "class" | "affects" | "says" | "definitions"> {
  const [before, after] = [a[payload], b[payload]];
  const definitions = [before ?? after ?? ""];
  const everybody = [...new Set([...callers(b), ...handlers(b)])];
  if (payload === "result" && (after === undefined ? b : a).nullResult) {
    const says =
      after === undefined
        ? `has the result \`null\` now, was \`${before}\``
        : `has the result \`${after}\` now, was \`null\``;
    return { class: "breaking", affects: everybody, says, definitions };
  }
  if (after === undefined) {
    const says = `has no ${payload} definition any more (was \`${before}\`)`;
    return { class: "breaking", affects: handlers(b), says, definitions };
  }
  const says = `has a ${payload} definition now: \`${after}\``;
  const required = payload === "params" ? membersRequired(comparison.after, after) : [];
  return required.length > 0
    ? { class: "breaking", affects: callers(b), says: `${says}, with required members`, definitions }
    : { class: "additive", affects: [], says, definitions };
}

function about({ name, side, kind }: Method): Pick<MethodNews, "name" | "side" | "kind"> {
  return { name, side, kind };
}

function payloads(method: Method): readonly string[] {
  return [method.params, method.result].filter((name) => name !== undefined);
}

function removedSays(gone: Method, heir: Method | undefined): string {
  const who = conjunction(callers(gone).map((name) => `${name}s`));
  const verb = gone.kind === "request" ? "call" : "send";
  return heir === undefined
    ? `was removed; ${who} must not ${verb} it`
    : `was removed; ${who} probably have to ${verb} \`${heir.name}\` instead, because its params are similar`;
}

/** Returns the sides that send a method's params. */
function callers({ side }: Method): readonly string[] {
  return [...new Set(paramsDirections(side).map(({ writer }) => writer))];
}

function handlers({ side }: Method): readonly string[] {
  return [...new Set(paramsDirections(side).map(({ reader }) => reader))];
}

function the(side: string): string {
  return side === "agent" || side === "client" || side === "proxy" ? `the ${side}` : "either side";
}
