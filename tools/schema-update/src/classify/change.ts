import type { ChangeCode, DecoderChange } from "../compare/comparison.js";

/** The classes, from the most severe to none. `api`: messages do not change, but a name that applications import does. */
export const changeClasses = [
  "breaking",
  "api",
  "additive",
  "decoder behaviour",
  "annotation",
  "documentation",
  "none",
] as const;
export type ChangeClass = (typeof changeClasses)[number];

/**
 * The kind of a change within its class, for code that treats these changes differently. The sentence of a change is only for people.
 *
 * - `gated`: a new variant or value that old readers only receive after advertising a capability.
 * - `stricter`, `tolerant`, `different`: how decoders treat values after the change.
 * - `links`: a description in which only links changed.
 * - `meta-description`: a definition in which only the description of `_meta` changed.
 */
export type ChangeKind = "gated" | DecoderChange | "links" | "meta-description";

/** One difference with its class. */
export interface Change {
  readonly class: ChangeClass;
  readonly code: ChangeCode | "documentation" | "batch";
  readonly kind: ChangeKind | undefined;
  /** The definition's name in the new file, or in the old file if only that has it. */
  readonly definition: string;
  /** `PromptResponse.messageId`, `SessionUpdate(notice)`, `PromptRequest.prompt[]` */
  readonly path: string;
  /** The writer and the reader, such as `agent → client`. Empty if no method reaches the definition. */
  readonly directions: readonly string[];
  /** The sides whose code breaks: `agent`, `client`, … Empty unless the class is breaking. */
  readonly affects: readonly string[];
  /** The sentence about the change, without the path at its beginning. */
  readonly says: string;
  /** The reason why the class is less severe than expected, or another hint. */
  readonly note: string | undefined;
  /** The methods whose messages can contain the definition. */
  readonly methods: readonly string[];
}

/** Returns the more severe of two classes. */
export function graver(a: ChangeClass, b: ChangeClass): ChangeClass {
  return changeClasses.indexOf(a) <= changeClasses.indexOf(b) ? a : b;
}

export function gravest(classes: Iterable<ChangeClass>): ChangeClass {
  let worst: ChangeClass = "none";
  for (const one of classes) worst = graver(worst, one);
  return worst;
}
