import { RegistryError } from "../errors.js";
import { reasonOf } from "./fetch-secure.js";

/**
 * Reads the body of a response as text.
 *
 * @throws {RegistryError} `too_large` for more than `maxBytes`, `unreachable` when the body is incomplete.
 */
export async function readBody(response: Response, maxBytes: number, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new RegistryError("too_large", `${what}: it is larger than ${maxBytes} bytes.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    throw new RegistryError("unreachable", `${what}: the response ended after ${size} bytes (${reasonOf(cause)}).`, {
      cause,
    });
  }
  return Buffer.concat(chunks).toString("utf8");
}
