import { isJsonObject, type JsonObject } from "../wire/message-kind.js";
import { parseMessageText } from "../wire/message-text.js";
import type { HttpExchange } from "./exchange.js";
import type { ServerLimits } from "./handler-options.js";
import { Refusal } from "./refusal.js";

/** The body of a POST that contains one JSON object. */
export interface PostedMessage {
  readonly message: JsonObject;
  readonly text: string;
  readonly size: number;
}

/**
 * Reads the body of a POST as JSON.
 *
 * @throws {Refusal} 415 for another type of content, 413 when it exceeds a limit, 408 when it does not arrive in time, 400 when it is not JSON.
 */
export async function readJson(
  exchange: HttpExchange,
  limits: Required<ServerLimits>,
): Promise<{ readonly value: unknown; readonly text: string; readonly size: number }> {
  const type = exchange.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal(415, "The body must have the content type application/json.");
  const encoding = exchange.header("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new Refusal(415, "The body must not be compressed.", { headers: { "accept-encoding": "identity" } });
  }
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  if (Number(exchange.header("content-length") ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  const { text, size } = await exchange.readBody({ maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs });
  const parsed = parseMessageText(text, size, limits);
  if ("value" in parsed) return { value: parsed.value, text, size };
  if (parsed.malformed.kind === "too_large") throw new Refusal(413, parsed.malformed.message);
  throw new Refusal(400, "The body is not JSON.", { code: -32_700 });
}

/**
 * Returns the message in a parsed body.
 *
 * @throws {Refusal} 501 for a batch, 400 for any other value that is not an object.
 */
export function asMessage(value: unknown): JsonObject {
  if (Array.isArray(value)) throw new Refusal(501, "Batches are not supported: send one message in each POST.");
  if (!isJsonObject(value)) throw new Refusal(400, "The body is not a JSON object.");
  return value;
}

/** Reads the body of a POST as one message. Calls {@link readJson} and {@link asMessage}. */
export async function readMessage(exchange: HttpExchange, limits: Required<ServerLimits>): Promise<PostedMessage> {
  const { value, text, size } = await readJson(exchange, limits);
  return { message: asMessage(value), text, size };
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal(413, `The body is longer than ${maxBytes} bytes.`, { limit: "maxBodyBytes" });
}

export function bodyTooSlow(timeoutMs: number): Refusal {
  return new Refusal(408, `The body did not arrive within ${timeoutMs} ms.`, {
    limit: "bodyTimeoutMs",
    isIncomplete: true,
  });
}

export function bodyBroken(): Refusal {
  return new Refusal(400, "The body broke off before its end.", { isIncomplete: true });
}
