import { type FinalText, gapAfter, MessageText } from "@acp-kit/client/internal";
import { asV2Update } from "@acp-kit/protocol";
import type { IncomingContentBlock, IncomingSessionUpdate } from "@acp-kit/types";

/** Adjacent text of one message, without the empty line before it. */
interface Piece {
  readonly messageId: string;
  text: string;
}

/**
 * The text of a turn, in which whole messages replace those that the turn has begun.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export class TurnText implements FinalText {
  readonly #added = new MessageText();
  readonly #pieces: Piece[] = [];
  readonly #piecesOf = new Map<string, Piece[]>();
  #latest: Piece | undefined;
  /** The last two characters that were added. */
  #ending = "";
  #isReplaced = false;

  add(update: IncomingSessionUpdate): string {
    const whole = asV2Update(update);
    if (whole?.sessionUpdate === "agent_message") {
      if (whole.content !== undefined) this.#replace(whole.messageId, whole.content ?? []);
      return "";
    }
    const text = this.#added.add(update);
    if (update.sessionUpdate === "agent_message_chunk") this.#append(update.messageId as string, text);
    return text;
  }

  final(): string | undefined {
    if (!this.#isReplaced) return undefined;
    let all = "";
    for (const { text } of this.#pieces) if (text !== "") all += gapAfter(all.slice(-2)) + text;
    return all;
  }

  #append(messageId: string, text: string): void {
    let piece = this.#latest;
    let begin = 0;
    if (piece?.messageId !== messageId) {
      const known = this.#piecesOf.get(messageId);
      if (text === "" && known !== undefined) return;
      piece = { messageId, text: "" };
      this.#pieces.push(piece);
      if (known === undefined) this.#piecesOf.set(messageId, [piece]);
      else known.push(piece);
      begin = gapAfter(this.#ending).length;
    }
    if (text === "") return;
    this.#latest = piece;
    piece.text += text.slice(begin);
    this.#ending = (this.#ending + text).slice(-2);
  }

  #replace(messageId: string, content: readonly IncomingContentBlock[]): void {
    const [first, ...others] = this.#piecesOf.get(messageId) ?? [];
    if (first === undefined) return; // a message of an earlier turn
    this.#isReplaced = true;
    this.#piecesOf.set(messageId, [first]);
    for (const piece of [first, ...others]) piece.text = "";
    const message = new MessageText();
    for (const block of content) first.text += message.add({ sessionUpdate: "agent_message_chunk", content: block });
    if (this.#latest?.messageId === messageId) this.#latest = first;
  }
}
