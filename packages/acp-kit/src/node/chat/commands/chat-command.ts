import type { Conversation } from "../conversation.js";
import type { Candidate } from "../input/complete.js";

/** One of the chat's own slash commands. */
export interface ChatCommand {
  readonly name: string;
  /** What may follow, as help shows it. */
  readonly hint?: string;
  readonly summary: string;
  /**
   * @param words what follows the name, without spaces around it.
   * @throws what is told to the user, who then tries again.
   */
  run(chat: Conversation, words: string): void | Promise<void>;
  /** What the next word may be, after those that are there. */
  complete?(chat: Conversation, words: readonly string[]): readonly Candidate[];
}
