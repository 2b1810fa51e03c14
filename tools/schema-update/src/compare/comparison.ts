import type { Model } from "../normalize/model.js";
import type { Shape } from "../normalize/shape.js";

/**
 * The effect of a difference on the set of valid values, or on the code that handles them.
 *
 * - `member`: one more optional member, which writers may omit and readers may ignore.
 * - `narrowed`: some values are no longer valid; writers have to change.
 * - `widened`: there are new valid values; readers have to handle them.
 * - `replaced`: both.
 * - `lost`: something was removed that both ends relied on.
 * - `known`: values that were valid before get a name.
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

/** The ends of a value, in words: `agents`, `clients`, `agents and clients`. */
export interface Who {
  readonly writers: string;
  readonly readers: string;
  readonly all: string;
}

/** A difference at one place of one definition, before its writers and readers are known. */
export interface Difference {
  /** From the definition on: `.messageId`, `(notice)`, `.content[].text`. */
  readonly path: string;
  readonly code: ChangeCode;
  readonly effect: Effect;
  /** What follows the path in a sentence: `is required now`. */
  readonly what: string;
  /** What that requires of people, where it is more specific than "have to follow": `agents have to send it`. */
  readonly demand?: ((who: Who) => string) | undefined;
  /** Old readers have a catch-all for values of this kind. */
  readonly open: boolean;
  /** Old readers replace or skip a value that they can't read here. */
  readonly lenient: boolean;
  /** A new variant or value, by name and words: it may be gated by a capability. */
  readonly novelty?: { readonly name: string; readonly doc: string | undefined } | undefined;
  /** What was removed and what was added, to find which definitions came and went with it. */
  readonly before?: Shape | undefined;
  readonly after?: Shape | undefined;
}

/** A description that reads differently. */
export interface Rewording {
  readonly path: string;
  /** Only the target of a link changed. */
  readonly linksOnly: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Two definitions to compare, usually of one name. */
export interface Pair {
  readonly before: string;
  readonly after: string;
  readonly differences: Difference[];
  readonly rewordings: Rewording[];
  /** The pairs that values of this one contain. */
  readonly links: { readonly pair: Pair; readonly lenient: boolean }[];
}

/** A place inside a pair while it is walked. */
export interface Place {
  readonly pair: Pair;
  readonly path: string;
  readonly lenient: boolean;
  /** References being expanded on the way here, so that a cycle ends. */
  readonly expanding: readonly string[];
}

/** Two files under comparison, and the pairs of definitions found so far. */
export interface Comparison {
  readonly before: Model;
  readonly after: Model;
  readonly pairs: Map<string, Pair>;
  /** Pairs that are linked but not yet compared. */
  readonly queue: Pair[];
  /** Old definitions that were compared with something that is not a definition of its own any more. */
  readonly dissolved: Set<string>;
  /** New definitions that were compared with something that had no name before. */
  readonly extracted: Set<string>;
}

export function createComparison(before: Model, after: Model): Comparison {
  return { before, after, pairs: new Map(), queue: [], dissolved: new Set(), extracted: new Set() };
}

/** The pair of two definitions; a new one is queued for comparison. */
export function pairOf(comparison: Comparison, before: string, after: string): Pair {
  const key = `${before}\n${after}`;
  const known = comparison.pairs.get(key);
  if (known !== undefined) return known;
  const pair: Pair = { before, after, differences: [], rewordings: [], links: [] };
  comparison.pairs.set(key, pair);
  comparison.queue.push(pair);
  return pair;
}

/** Notes that values at `place` contain the definitions `before` and `after`. */
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
  // A union that was split can report the same difference twice.
  if (
    differences.some((one) => one.path === place.path && one.code === difference.code && one.what === difference.what)
  )
    return;
  differences.push({ open: false, ...difference, path: place.path, lenient: place.lenient });
}
