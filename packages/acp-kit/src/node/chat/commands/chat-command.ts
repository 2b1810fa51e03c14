import type { Conversation } from "../conversation.js";
import type { Candidate } from "../input/complete.js";

/** One of the chat's own slash commands. */
export interface ChatCommand {
  readonly name: string;
  /** The arguments, as shown by `/help`. */
  readonly hint?: string;
  readonly summary: string;
  /**
   * @param words the text after the command's name, without surrounding spaces.
   * @throws an error whose message is shown to the user.
   */
  run(chat: Conversation, words: string): void | Promise<void>;
  /** Returns the candidates for the next word. `words` are the previous words. */
  complete?(chat: Conversation, words: readonly string[]): readonly Candidate[];
}
