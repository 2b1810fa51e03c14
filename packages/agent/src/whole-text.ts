import { hasHalf, WholeCharacters } from "@acp-kit/protocol/internal";
import type { VersionedUpdate } from "./versioned-update.js";

/**
 * Joins the halves of characters that chunks of text end and begin with, because models' streams are cut anywhere.
 * Strict JSON parsers refuse a message with half a character.
 */
export class WholeText {
  /**
   * The message whose last chunk ended with half a character. Another message that is cut at the same time takes its
   * place.
   */
  #cut: { readonly key: string; readonly characters: WholeCharacters } | undefined;

  /** Returns the update with whole characters, or `undefined` if nothing is left to send yet. */
  take(update: VersionedUpdate): VersionedUpdate | undefined {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
      case "user_message_chunk": {
        const { content, messageId, sessionUpdate } = update;
        if (content.type !== "text" || (this.#cut === undefined && !hasHalf(content.text))) return update;
        const key = `${sessionUpdate} ${messageId ?? ""}`;
        const characters = this.#cut?.key === key ? this.#cut.characters : new WholeCharacters();
        const text = characters.add(content.text);
        if (characters.isWaiting) this.#cut = { key, characters };
        else if (this.#cut?.key === key) this.#cut = undefined;
        return text === "" && content.text !== "" ? undefined : { ...update, content: { ...content, text } };
      }
      default:
        return update;
    }
  }
}
