import type { Model } from "../normalize/model.js";
import type { Shape } from "../normalize/shape.js";

/**
 * The effect of a difference on the set of valid values, or on the code that handles them.
 *
 * - `member`: one more optional member, which writers may omit and readers may ignore.
 * - `narrowed`: some values are no longer valid; writers must change.
 * - `widened`: there are new valid values; readers must handle them.
 * - `replaced`: some values are no longer valid, and there are new valid values.
 * - `lost`: something was removed that both sides relied on.
 * - `known`: the new schema lists values that were already valid.
 * - `decoder`, `annotation`: validity is unchanged.
 */
export type Effect = "member" | "narrowed" | "widened" | "replaced" | "lost" | "known" | "decoder" | "annotation";

export type ChangeCode =
  | "member-added"
  | "member-removed"
  | "member-required"
  | "member-optional"
  | "variant-added"
  | "variant-removed"
  | "value-added"
  | "value-removed"
  | "tag-renamed"
  | "type-added"
  | "type-removed"
  | "type-changed"
  | "null-added"
  | "null-removed"
  | "opened"
  | "closed"
  | "bounds"
  | "reserved-tags"
  | "exclusive"
  | "order"
  | "leniency"
  | "default"
  | "title"
  | "annotation"
  | "unknown-keyword";

/** How decoders treat values after a change: they reject more values, they accept more, or they decode some as other values. */
export type DecoderChange = "stricter" | "tolerant" | "different";

/** Formats sides for a sentence: `agents`, `clients`, `agents and clients`. */
export interface Who {
  readonly writers: string;
  readonly readers: string;
  readonly all: string;
}

/** A difference at one place of one definition, before its writers and readers are known. */
export interface Difference {
  /** The path within the definition: `.messageId`, `(notice)`, `.content[].text`. */
  readonly path: string;
  readonly code: ChangeCode;
  readonly effect: Effect;
  /** The sentence about the difference, without the path at its beginning: `is required now`. */
  readonly what: string;
  /** What the sides must do, if "must adapt" is not specific enough: `agents have to send it`. */
  readonly demand?: ((who: Who) => string) | undefined;
  /** Whether old readers have a catch-all for values of this kind. */
  readonly open: boolean;
  /** Whether old readers replace or skip a value that they can't read here. */
  readonly lenient: boolean;
  /** How decoders treat values after the change. Only for the effect `decoder`. */
  readonly decoding?: DecoderChange | undefined;
  /** A new variant or value, with its name and description. Writers may send it only to readers that advertise a capability. */
  readonly novelty?: { readonly name: string; readonly doc: string | undefined } | undefined;
  /** The removed and the added schema, to find the definitions that were removed or added with it. */
  readonly before?: Shape | undefined;
  readonly after?: Shape | undefined;
}

/** A changed description. */
export interface Rewording {
  readonly path: string;
  /** Whether only targets of links changed. */
  readonly linksOnly: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Two definitions to compare, usually with the same name. */
export interface Pair {
  readonly before: string;
  readonly after: string;
  readonly differences: Difference[];
  readonly rewordings: Rewording[];
  /** The pairs of definitions that values of this pair contain. */
  readonly links: { readonly pair: Pair; readonly lenient: boolean }[];
}

/** A place inside a pair during the comparison. */
export interface Place {
  readonly pair: Pair;
  readonly path: string;
  readonly lenient: boolean;
  /** The references that are being resolved. With them, a cycle is detected. */
  readonly expanding: readonly string[];
}

/** Two files under comparison, and the pairs of definitions found so far. */
export interface Comparison {
  readonly before: Model;
  readonly after: Model;
  readonly pairs: Map<string, Pair>;
  /** The pairs that were found but not yet compared. */
  readonly queue: Pair[];
  /** Old definitions that were compared with a part of the new file that is not a definition. */
  readonly dissolved: Set<string>;
  /** New definitions that were compared with a part of the old file that was not a definition. */
  readonly extracted: Set<string>;
}

export function createComparison(before: Model, after: Model): Comparison {
  return { before, after, pairs: new Map(), queue: [], dissolved: new Set(), extracted: new Set() };
}

/** Returns the pair of two definitions. A new pair is queued for comparison. */
export function pairOf(comparison: Comparison, before: string, after: string): Pair {
  const key = `${before}\n${after}`;
  const known = comparison.pairs.get(key);
  if (known !== undefined) return known;
  const pair: Pair = { before, after, differences: [], rewordings: [], links: [] };
  comparison.pairs.set(key, pair);
  comparison.queue.push(pair);
  return pair;
}

/** Records that values at `place` contain the definitions `before` and `after`. */
export function link(comparison: Comparison, place: Place, before: string, after: string): void {
  place.pair.links.push({ pair: pairOf(comparison, before, after), lenient: place.lenient });
}

export function at(place: Place, step: string, lenient = false): Place {
  return { ...place, path: place.path + step, lenient: place.lenient || lenient };
}

type Report = Pick<Difference, "code" | "effect" | "what"> & Partial<Difference>;

/** Records a difference at a place. */
export function report(place: Place, difference: Report): void {
  const { differences } = place.pair;
  // After a union was split, the same difference may be found twice.
  if (
    differences.some((one) => one.path === place.path && one.code === difference.code && one.what === difference.what)
  )
    return;
  differences.push({ open: false, ...difference, path: place.path, lenient: place.lenient });
}
