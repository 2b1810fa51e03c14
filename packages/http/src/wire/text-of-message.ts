import type { Message } from "@acp-kit/jsonrpc";

/**
 * Serialises a message as JSON.
 *
 * @throws {TypeError} when the message can't be serialised.
 */
export function textOfMessage(message: Message): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new TypeError(`The message can't be serialised: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  if (text === undefined) throw new TypeError("The message can't be serialised: it has no JSON form.");
  return text;
}
