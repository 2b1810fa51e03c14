import { type Holding, isJsonObject, type JsonObject, memoryOf } from "@acp-kit/jsonrpc/internal";
import { parseMessageText } from "../wire/message-text.js";
import type { HttpExchange } from "./exchange.js";
import type { AllServerLimits } from "./handler-options.js";
import { Refusal } from "./refusal.js";

/** The body of a POST that contains one JSON object. */
export interface PostedMessage {
  readonly message: JsonObject;
  readonly text: string;
  readonly size: number;
}

/**
 * Reads the body of a POST as JSON. `holding` then holds its memory; the caller releases it when the message was
 * handled.
 *
 * @throws {Refusal} 415 for another type of content, 413 when it exceeds a limit, 408 when it does not arrive in time,
 * 429 when there is no memory for it, 400 when it is not JSON.
 */
export async function readJson(
  exchange: HttpExchange,
  limits: AllServerLimits,
  holding: Holding,
): Promise<{ readonly value: unknown; readonly text: string; readonly size: number }> {
  const type = exchange.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refusal(415, "The body must have the content type application/json.");
  const encoding = exchange.header("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new Refusal(415, "The body must not be compressed.", { headers: { "accept-encoding": "identity" } });
  }
  const { maxMessageBytes, bodyTimeoutMs } = limits;
  if (Number(exchange.header("content-length") ?? 0) > maxMessageBytes) throw bodyTooLarge(maxMessageBytes);
  const { text, size } = await exchange.readBody({ maxBytes: maxMessageBytes, timeoutMs: bodyTimeoutMs, holding });
  const parsed = parseMessageText(text, size, limits);
  if ("value" in parsed) {
    if (!holding.set(Math.max(size, memoryOf(parsed.value)))) throw noMemory();
    return { value: parsed.value, text, size };
  }
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
export async function readMessage(
  exchange: HttpExchange,
  limits: AllServerLimits,
  holding: Holding,
): Promise<PostedMessage> {
  const { value, text, size } = await readJson(exchange, limits, holding);
  return { message: asMessage(value), text, size };
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal(413, `The body is longer than ${maxBytes} bytes.`, { limit: "maxMessageBytes" });
}

/** The refusal of a body for which there is no memory now. The client may send it again. */
export function noMemory(): Refusal {
  const message = "Too many bytes of this caller's requests are waiting or arriving: send the request again later.";
  return new Refusal(429, message, { limit: "maxQueuedBytes", headers: { "retry-after": "1" }, isIncomplete: true });
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
