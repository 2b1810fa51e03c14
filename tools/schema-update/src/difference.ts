/**
 * The effects of a difference, from the most severe to none. `api`: messages stay the same, but a name that
 * applications import does not. `decoder behaviour`: the same messages are valid, but decoders repair other invalid
 * ones, or read a value differently.
 */
export const effects = ["breaking", "api", "additive", "decoder behaviour", "documentation", "none"] as const;
export type Effect = (typeof effects)[number];

/** The kinds of difference, in the order of a report: removals, then new requirements, then additions. */
export const codes = [
  "method-removed",
  "method-changed",
  "method-added",
  "tag-renamed",
  "variant-removed",
  "member-removed",
  "value-removed",
  "type-changed",
  "type-removed",
  "null-removed",
  "member-required",
  "member-added",
  "member-optional",
  "closed",
  "exclusive",
  "bounds",
  "variant-added",
  "value-added",
  "type-added",
  "null-added",
  "opened",
  "export-renamed",
  "export-removed",
  "export-added",
  "export-changed",
  "gate",
  "order",
  "leniency",
  "default",
  "format",
  "documentation",
  "spelling",
] as const;
export type Code = (typeof codes)[number];

/** One difference between two schemas. Report, changeset, bumps and decisions derive from a list of these. */
export interface Difference {
  readonly effect: Exclude<Effect, "none">;
  readonly code: Code;
  /** `session/new`, `PromptResponse.messageId`, `SessionUpdate(notice)`, `PromptRequest.prompt[]`, or an export. */
  readonly path: string;
  /** The sentence about the difference, without the path at its beginning. */
  readonly says: string;
  /** The reason why the effect is milder than expected, or another hint. */
  readonly note?: string | undefined;
  /** The writer and the reader of the value: `agent → client`. Empty for exports and documentation. */
  readonly directions: readonly string[];
  /** The sides whose code breaks: `agent`, `client`, … Empty unless the effect is `breaking`. */
  readonly affects: readonly string[];
  /** The methods whose messages can contain the place. */
  readonly methods: readonly string[];
  /** The definitions and exports that this is about, by their old names. */
  readonly names: readonly string[];
  /** For a new or removed variant or value: its name, and the names beside it. */
  readonly among?: { readonly name: string; readonly others: readonly string[] } | undefined;
  /** Whether the stable schema of the same version has the same difference. Only set for an unstable schema. */
  readonly shared?: boolean;
}

/** Returns the most severe effect of some differences. */
export function gravest(list: Iterable<{ readonly effect: Effect }>): Effect {
  let worst: Effect = "none";
  for (const { effect } of list) if (effects.indexOf(effect) < effects.indexOf(worst)) worst = effect;
  return worst;
}

/** Sorts by effect, then by kind, then by the number of methods that are concerned, then by name. */
export function byImportance(a: Difference, b: Difference): number {
  return (
    effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
    codes.indexOf(a.code) - codes.indexOf(b.code) ||
    b.methods.length - a.methods.length ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
  );
}

/** Formats a list: `` `a`, `b` and `c` `` */
export function quoteAll(values: readonly (string | number)[]): string {
  return conjunction(values.map((value) => `\`${value}\``));
}

export function conjunction(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
