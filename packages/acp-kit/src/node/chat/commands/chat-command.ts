import type { Conversation } from "../conversation.js";
import type { Candidate } from "../input/complete.js";

/** One of the chat's own slash commands. */
export interface ChatCommand {
  readonly name: string;
  /** The arguments, as shown by `/help`. */
  readonly hint?: string;
  readonly summary: string;
  /**
   * @param words what follows the name, without spaces around it.
   * @throws an error whose message is shown to the user.
   */
  run(chat: Conversation, words: string): void | Promise<void>;
  /** Completes the next word, given the previous ones. */
  complete?(chat: Conversation, words: readonly string[]): readonly Candidate[];
}
