import type { Readable } from "../transcript/readable.js";
import type { SessionOption } from "./session-option.js";

/**
 * Values of session options, by the id of the option. An application can store them and pass them as `options` when it
 * opens a session.
 */
export type OptionValues = Readonly<Record<string, string | boolean>>;

/**
 * The options of a session: its mode, its model and all others, as one list, whichever part of the protocol the agent
 * uses for them.
 *
 * @example
 * ```ts
 * for (const option of session.options) console.log(option.name, option.value);
 * await session.options.set("model", "opus"); // an id, or a category
 * ```
 */
export interface SessionOptionList extends Readable<readonly SessionOption[]>, Iterable<SessionOption> {
  /** All options of the session, in the agent's order: the most important options come first. */
  readonly snapshot: readonly SessionOption[];
  /** Returns the option with this id, or else the first option of this category. */
  get(idOrCategory: string): SessionOption | undefined;
  /** Returns the options of a category, in the agent's order. */
  byCategory(category: string): readonly SessionOption[];
  /**
   * The current values of the options that this client has set, as plain data to store. If the agent changed an option
   * later, the object contains the agent's value.
   */
  readonly chosen: OptionValues;
  /**
   * Sets an option of the session, found by its id or its category. The agent can change other options in response.
   *
   * @throws {TypeError} when the session has no such option, or the option doesn't offer this value. Nothing is sent
   * then.
   */
  set(idOrCategory: string, value: string | boolean): Promise<void>;
}
