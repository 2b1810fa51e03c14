import { canonical, isObject, type JsonObject, sameJson } from "../normalize/json.js";
import { isDecoderKeyword, isUnknown } from "../normalize/keywords.js";
import { at, type Place, report } from "./comparison.js";
import { conjunction, quoteAll } from "./describe.js";

interface Described {
  readonly doc?: string | undefined;
  readonly title?: string | undefined;
  readonly notes?: ReadonlyMap<string, unknown> | undefined;
}

/** Compares the description, title, annotations and recovery rules of a place. */
export function compareWords(place: Place, step: string, a: Described, b: Described): void {
  const here = at(place, step);
  if ((a.doc ?? "") !== (b.doc ?? "")) {
    here.pair.rewordings.push({
      path: here.path,
      linksOnly: withoutLinks(a.doc) === withoutLinks(b.doc),
      before: a.doc,
      after: b.doc,
    });
  }
  if ((a.title ?? "") !== (b.title ?? "")) {
    report(here, { code: "title", effect: "annotation", what: `has ${titleNews(a.title, b.title)}` });
  }
  compareNotes(here, a.notes ?? new Map(), b.notes ?? new Map());
}

function titleNews(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return "a title now";
  return after === undefined ? "no title any more" : `the title "${after}", was "${before}"`;
}

function compareNotes(place: Place, a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): void {
  const keywords = new Set([...a.keys(), ...b.keys()]);
  const changed = [...keywords].filter(
    (keyword) => a.has(keyword) !== b.has(keyword) || canonical(a.get(keyword)) !== canonical(b.get(keyword)),
  );
  const decoder = changed.filter(isDecoderKeyword);
  if (decoder.length > 0) compareLeniency(place, a, b, decoder);
  for (const keyword of changed) {
    if (isDecoderKeyword(keyword)) continue;
    if (keyword === "default") compareDefaults(place, a, b);
    else if (isUnknown(keyword)) {
      report(place, {
        code: "unknown-keyword",
        effect: "annotation",
        what: `${news(keyword, a, b)}, a keyword this tool doesn't know`,
      });
    } else report(place, { code: "annotation", effect: "annotation", what: news(keyword, a, b) });
  }
}

function news(keyword: string, a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string {
  if (!b.has(keyword)) return `has no \`${keyword}\` any more`;
  return a.has(keyword) ? `has a different \`${keyword}\`` : `has \`${keyword}\` now`;
}

/** Compares defaults. For a validator, a default is only an annotation, but decoders use it. */
function compareDefaults(place: Place, a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): void {
  const old = a.get("default");
  const now = b.get("default");
  const what = !b.has("default")
    ? `has no default any more (was \`${short(old)}\`)`
    : !a.has("default")
      ? `has the default \`${short(now)}\` now`
      : isObject(old) && isObject(now)
        ? `has a different default: ${memberNews(old, now).join(", ")}`
        : `has the default \`${short(now)}\`, was \`${short(old)}\``;
  report(place, {
    code: "default",
    effect: "annotation",
    what: `${what}; decoders use the default if the value is missing`,
  });
}

/** Compares the default of an object member by member, because it repeats the members' defaults. */
function memberNews(old: JsonObject, now: JsonObject, path = ""): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) => {
    const [x, y] = [old[key], now[key]];
    const name = `${path}${key}`;
    if (sameJson(x ?? null, y ?? null) && key in old === key in now) return [];
    if (isObject(x) && isObject(y)) return memberNews(x, y, `${name}.`);
    return [!(key in now) ? `no \`${name}\`` : `\`${name}: ${short(y)}\``];
  });
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** For each recovery rule, how decoders behave with the rule and without it. */
const recoveries: Readonly<Record<string, readonly [on: string, off: string]>> = {
  "x-deserialize-default-on-error": ["a malformed value is replaced", "a malformed value fails"],
  "x-deserialize-skip-invalid-items": ["malformed items are skipped", "a malformed item fails"],
  "x-deserialize-default-on-null": ["`null` counts as empty", "`null` fails"],
};

/** Describes all changed recovery rules of a place in one sentence. */
function compareLeniency(
  place: Place,
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
  changed: readonly string[],
): void {
  const on = (notes: ReadonlyMap<string, unknown>, keyword: string): boolean => notes.get(keyword) === true;
  const gained = changed.filter((keyword) => on(b, keyword) && !on(a, keyword));
  const lost = changed.filter((keyword) => on(a, keyword) && !on(b, keyword));
  const other = changed.filter((keyword) => !gained.includes(keyword) && !lost.includes(keyword));
  const gains = gained.map((keyword) => recoveries[keyword]?.[0] ?? `\`${keyword}\` holds`);
  const losses = lost.map((keyword) => recoveries[keyword]?.[1] ?? `\`${keyword}\` no longer holds`);
  const parts = [
    lost.length > 0 ? `decodes more strictly: ${conjunction(losses)}` : "",
    gained.length > 0 ? `${lost.length > 0 ? "but" : "decodes more tolerantly:"} ${conjunction(gains)}` : "",
    other.length > 0 ? `decodes differently: ${quoteAll(other)} changed` : "",
  ];
  report(place, {
    code: "leniency",
    effect: "decoder",
    decoding: lost.length > 0 ? "stricter" : gained.length > 0 ? "tolerant" : "different",
    what: parts.filter((part) => part !== "").join(", "),
  });
}

/** Returns a description without link targets and rustdoc remnants, so that moved pages don't count as a new description. */
function withoutLinks(doc: string | undefined): string {
  return (doc ?? "")
    .replaceAll(/\]\([^()]*\)/g, "]") // No further than the next parenthesis, so that matching stays linear.
    .replaceAll(/https?:\/\/\S+/g, "")
    .replaceAll(/[[\]`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
