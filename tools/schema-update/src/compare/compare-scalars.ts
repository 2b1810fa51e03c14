import type { NumberNode, StringNode } from "@acp-kit/codegen/ir";
import { quoteAll } from "../difference.js";
import { describe, type Scalar } from "./alternatives.js";
import { at, type Findings, type Place } from "./finding.js";

/** Compares two strings, integers or numbers, including enums. */
export function compareScalars(findings: Findings, place: Place, a: Scalar, b: Scalar): void {
  const shown = (scalar: Scalar): string => describeScalar(scalar);
  if (a.kind !== b.kind) {
    // One is `integer`, the other `number`. Each integer is a number, so a change to `number` makes more values valid.
    const change = b.kind === "number" ? "widened" : "narrowed";
    findings.add(place, { code: "type-changed", change, what: `is ${shown(b)}, was ${shown(a)}` });
    return;
  }
  const added = [...b.values.keys()].filter((value) => !a.values.has(value));
  const removed = [...a.values.keys()].filter((value) => !b.values.has(value));
  if (a.rest === undefined && b.rest !== undefined) {
    findings.add(place, {
      code: "opened",
      change: "widened",
      what: `may be any ${describe(b.rest)} now, not only ${shown(a)}`,
      demand: (who) => `${who.readers} have to accept unknown values`,
    });
  } else if (a.rest !== undefined && b.rest === undefined) {
    findings.add(place, {
      code: "closed",
      change: "narrowed",
      what: `may only be ${shown(b)} now`,
      demand: (who) => `${who.writers} must not send anything else`,
    });
    // Values that only the open enum named are part of the same difference.
    return;
  } else if (a.rest !== undefined && b.rest !== undefined) compareRest(findings, place, a.rest, b.rest);
  if (removed.length > 0) {
    const stillValid = b.rest !== undefined;
    findings.add(place, {
      code: "value-removed",
      change: "lost",
      among: { name: String(removed[0]), others: [...b.values.keys()].map(String) },
      what: `no longer defines ${quoteAll(removed)}${stillValid ? ", which stays valid as an unknown value" : ""}`,
      demand: (who) =>
        stillValid ? `${who.readers} need not understand it any more` : `${who.writers} must not send it`,
    });
  }
  if (a.rest === undefined && b.rest !== undefined) return;
  if (a.values.size === 0 && added.length > 0) {
    const what = `names the values ${quoteAll(added)}; any other value stays valid`;
    findings.add(place, { code: "value-added", change: "known", what });
    return;
  }
  for (const value of added) {
    const open = a.rest !== undefined;
    findings.add(place, {
      code: "value-added",
      change: "widened",
      open,
      among: { name: String(value), others: [...a.values.keys()].map(String) },
      novelty: { name: String(value), doc: b.values.get(value) },
      what: `may be \`${value}\` now${open ? "; the old schema already allowed values that it did not list" : ""}`,
    });
  }
}

function describeScalar({ values, rest }: Scalar): string {
  if (rest !== undefined) return describe(rest);
  return values.size > 4 ? `one of ${values.size} values` : quoteAll([...values.keys()]);
}

function compareRest(findings: Findings, place: Place, a: StringNode | NumberNode, b: StringNode | NumberNode): void {
  if (a.kind !== "string" && b.kind !== "string") {
    compareRanges(findings, place, a, b);
    return;
  }
  if (a.kind !== "string" || b.kind !== "string") return;
  compareLeast(findings, place, a.minLength ?? 0, b.minLength ?? 0, "character");
  if (a.format !== b.format) {
    const [was, is] = [a.format, b.format].map((one) => `\`${one?.includes(" ") ? one : `format: "${one}"`}\``);
    const change = a.format === undefined ? "narrowed" : b.format === undefined ? "widened" : "replaced";
    const what = {
      narrowed: `must match ${is}`,
      widened: `no longer has to match ${was}`,
      replaced: `must match ${is}, was ${was}`,
    };
    findings.add(place, { code: "bounds", change, what: what[change] });
  }
  if (a.contentEncoding !== b.contentEncoding)
    findings.add(place, {
      code: "format",
      change: "words",
      what: `is described as ${b.contentEncoding ?? "plain text"} now; decoders don't check it`,
    });
}

/** Compares the smallest length of a string or list. */
export function compareLeast(findings: Findings, place: Place, a: number, b: number, unit: string): void {
  if (a === b) return;
  const count = (least: number): string =>
    least === 0 ? `any number of ${unit}s` : `at least ${least} ${unit}${least === 1 ? "" : "s"}`;
  const change = b > a ? "narrowed" : "widened";
  findings.add(place, { code: "bounds", change, what: `needs ${count(b)}, was ${count(a)}` });
}

interface Range {
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
}

function range(bits: bigint, signed: boolean): Range {
  return signed ? { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n } : { min: 0n, max: 2n ** bits - 1n };
}

/** Returns the range that format and bounds allow together. Bounds that a format implies are no difference. */
function rangeOf({ format, minimum, maximum }: NumberNode): Range {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(format ?? "") ?? [];
  const own = bits === undefined ? { min: undefined, max: undefined } : range(BigInt(bits), unsigned === "");
  const [min, max] = [minimum, maximum].map((bound) => (bound === undefined ? undefined : BigInt(Math.trunc(bound))));
  return {
    min: min !== undefined && (own.min === undefined || min > own.min) ? min : own.min,
    max: max !== undefined && (own.max === undefined || max < own.max) ? max : own.max,
  };
}

function compareRanges(findings: Findings, place: Place, a: NumberNode, b: NumberNode): void {
  const [before, after] = [rangeOf(a), rangeOf(b)];
  const above = (x: bigint | undefined, y: bigint | undefined): boolean =>
    y === undefined ? x !== undefined : x !== undefined && x > y;
  const below = (x: bigint | undefined, y: bigint | undefined): boolean =>
    y === undefined ? x !== undefined : x !== undefined && x < y;
  const tighter = above(after.min, before.min) || below(after.max, before.max);
  const looser = above(before.min, after.min) || below(before.max, after.max);
  if (tighter || looser) {
    const formats = a.format === b.format ? "" : ` (${a.format ?? "no format"} → ${b.format ?? "no format"})`;
    const change = tighter && looser ? "replaced" : tighter ? "narrowed" : "widened";
    findings.add(place, { code: "bounds", change, what: `accepts ${span(after)}, was ${span(before)}${formats}` });
  } else if (a.format !== b.format) {
    const what = `has the format ${b.format ?? "(none)"}, was ${a.format ?? "(none)"}; the range is the same`;
    findings.add(at(place, ""), { code: "format", change: "words", what });
  }
}

function span({ min, max }: Range): string {
  if (min === undefined && max === undefined) return "anything";
  if (max === undefined) return `${number(min)} and more`;
  return min === undefined ? `up to ${number(max)}` : `${number(min)} … ${number(max)}`;
}

/** Formats a number. Writes a power of two as `2^64`, because 18446744073709551615 is hard to read. */
function number(value: bigint | undefined): string {
  for (const bits of [31n, 32n, 63n, 64n]) {
    if (value === 2n ** bits - 1n) return `2^${bits} − 1`;
    if (value === -(2n ** bits)) return `−2^${bits}`;
  }
  return String(value);
}
