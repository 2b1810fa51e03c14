import { RegistryError } from "../errors.js";
import { withoutMark } from "../files/read-bounded.js";
import type { LoadedSource } from "./agent-registry.js";
import { decodeRegistry } from "./decode-registry.js";

/**
 * Parses and decodes the text of a registry.
 *
 * @throws {RegistryError} `invalid_registry`.
 */
export function decodedText(text: string, name: string): Pick<LoadedSource, "agents" | "problems"> {
  let value: unknown;
  try {
    value = JSON.parse(withoutMark(text));
  } catch (cause) {
    throw new RegistryError("invalid_registry", `The registry ${name} is not JSON: ${(cause as Error).message}.`, {
      cause,
    });
  }
  const { document, problems } = decodeRegistry(value);
  return { agents: document.agents, problems };
}
