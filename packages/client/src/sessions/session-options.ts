import type { Readable } from "../transcript/readable.js";
import type { SessionOption } from "./session-option.js";

/** Values by the id of their option. Store them and pass them as `options` when opening a session. */
export type OptionValues = Readonly<Record<string, string | boolean>>;

/**
 * The options of a session: its mode, its model and all others, in whichever form the agent sends them.
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
  /** The current values of the options that were set here, to store them. Includes later changes by the agent. */
  readonly chosen: OptionValues;
  /**
   * Sets an option, by its id or its category. Other options may change, too.
   *
   * @throws {TypeError} when there is no such option, or it doesn't have this value; nothing is sent.
   */
  set(idOrCategory: string, value: string | boolean): Promise<void>;
}
