import { isRegistryError, RegistryError } from "../errors.js";
import { readBounded } from "../files/read-bounded.js";
import type { LoadedSource } from "./agent-registry.js";
import { decodeRegistry } from "./decode-registry.js";
import { decodedText } from "./decoded-text.js";
import type { FetchDocumentOptions } from "./fetch-document.js";
import { loadUrl, type UrlLoadOptions } from "./load-url.js";
import {
  checkSha256,
  type DocumentSource,
  type FileSource,
  type RegistrySource,
  sourceName,
} from "./registry-source.js";

/** Options of {@link loadSource}. */
export type LoadOptions = UrlLoadOptions & FetchDocumentOptions;

/**
 * Reads and decodes the registry of one source.
 *
 * @throws {RegistryError} when the source can't be read.
 */
export async function loadSource(source: RegistrySource, options: LoadOptions): Promise<LoadedSource> {
  if ("url" in source) return await loadUrl(source, options);
  return "file" in source ? await loadFile(source, options) : loadDocument(source);
}

function loadDocument(source: DocumentSource): LoadedSource {
  const { document, problems } = decodeRegistry(source.document);
  return { name: sourceName(source), state: "local", checkedAt: undefined, agents: document.agents, problems };
}

async function loadFile(source: FileSource, { maxBytes }: LoadOptions): Promise<LoadedSource> {
  const name = sourceName(source);
  const text = await readBounded(source.file, maxBytes).catch((cause: Error) => {
    throw new RegistryError(
      isRegistryError(cause) ? cause.code : "unreachable",
      `The registry ${name}: ${cause.message}`,
      { cause },
    );
  });
  if (text === undefined) throw new RegistryError("unreachable", `The registry ${name} does not exist.`);
  checkSha256(text, source.sha256, name);
  return { name, state: "local", checkedAt: undefined, ...decodedText(text, name) };
}
