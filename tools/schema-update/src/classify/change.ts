import type { ChangeCode } from "../compare/comparison.js";

/** From the most severe to none. `api`: the wire does not change, but a name that applications import does. */
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

/** One difference, judged. */
export interface Change {
  readonly class: ChangeClass;
  readonly code: ChangeCode | "documentation" | "batch";
  /** The definition's name in the new file; in the old one when it only exists there. */
  readonly definition: string;
  /** `PromptResponse.messageId`, `SessionUpdate(notice)`, `PromptRequest.prompt[]` */
  readonly path: string;
  /** `agent → client`: the writer and the reader. Empty when no method reaches it. */
  readonly directions: readonly string[];
  /** Whose code breaks: `agent`, `client`, … Empty unless the class is breaking. */
  readonly affects: readonly string[];
  /** What follows the path in a sentence. */
  readonly says: string;
  /** Why it is less severe than it looks, or another hint. */
  readonly note: string | undefined;
  /** The methods whose messages can contain it. */
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
