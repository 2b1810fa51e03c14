import type { Message } from "@acp-kit/jsonrpc";

/**
 * Serializes a message as JSON.
 *
 * @throws {TypeError} when the message can't be serialized.
 */
export function textOfMessage(message: Message): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw new TypeError(`The message can't be serialized: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  if (text === undefined) throw new TypeError("The message can't be serialized: it has no JSON form.");
  return text;
}
