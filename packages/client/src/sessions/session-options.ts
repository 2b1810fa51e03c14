import type { Readable } from "../transcript/readable.js";
import type { SessionOption } from "./session-option.js";

/** Values by the id of their option: what an app stores, and hands over as `options` when it opens a session. */
export type OptionValues = Readonly<Record<string, string | boolean>>;

/**
 * What can be set about a session: its mode, its model and everything else, whichever way the agent tells it.
 *
 * @example
 * ```ts
 * for (const option of session.options) console.log(option.name, option.value);
 * await session.options.set("model", "opus"); // an id, or a category
 * ```
 */
export interface SessionOptions extends Readable<readonly SessionOption[]>, Iterable<SessionOption> {
  /** All of them, in the agent's order: the most important ones first. */
  readonly snapshot: readonly SessionOption[];
  /** The option with this id, else the first of this category. */
  get(idOrCategory: string): SessionOption | undefined;
  /** The options of a category, in the agent's order. */
  byCategory(category: string): readonly SessionOption[];
  /** The values of what was set here: what to store. What the agent changed since is in it as the agent changed it. */
  readonly chosen: OptionValues;
  /**
   * Sets an option, by its id or its category; others may change with it.
   *
   * @throws {TypeError} when there is no such option, or it doesn't have this value; nothing is sent.
   */
  set(idOrCategory: string, value: string | boolean): Promise<void>;
}
