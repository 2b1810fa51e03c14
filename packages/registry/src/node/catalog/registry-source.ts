import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { RegistryError } from "../errors.js";
import { sha256 } from "./document-cache.js";
import { withoutCredentials } from "./secure-url.js";
import type { RegistrySnapshot } from "./snapshot.js";

/** A source of agents: a registry at a URL, a registry in a file, or a document of the application. */
export type RegistrySource = UrlSource | FileSource | DocumentSource;

/** Options of all sources. */
export interface SourceOptions {
  /** The name of the source in messages. Default: the URL or the path. */
  readonly name?: string;
  /** The SHA-256 of the text, in hexadecimal. A text with another checksum is refused. */
  readonly sha256?: string;
  /** Whether `openRegistry` rejects without this source, whose agents a later source must not replace. */
  readonly required?: boolean;
}

/** A registry at an `https:` URL, or at an `http:` URL on this machine. */
export interface UrlSource extends SourceOptions {
  readonly url: string;
  /** Headers of the request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An Ed25519 key as PEM. The server then has the signature in base64 at this URL with `.sig` after the path. */
  readonly publicKey?: string;
  /** The registry to use if the server can't be reached and the cache is empty. */
  readonly snapshot?: RegistrySnapshot;
}

/** A registry in a local file. */
export interface FileSource extends SourceOptions {
  readonly file: string;
}

/** A registry that the application passes as an object. */
export interface DocumentSource extends Omit<SourceOptions, "sha256"> {
  readonly document: unknown;
}

/** Returns the name of a source for messages, without credentials. */
export function sourceName(source: RegistrySource): string {
  if (source.name !== undefined) return source.name;
  if ("url" in source) return withoutCredentials(source.url);
  return "file" in source ? source.file : "a document of the application";
}

/** Verifies the checksum of a text. @throws {RegistryError} `checksum_mismatch`. */
export function checkSha256(text: string, expected: string | undefined, name: string): void {
  const actual = sha256(text);
  if (expected === undefined || actual === expected.toLowerCase()) return;
  throw new RegistryError(
    "checksum_mismatch",
    `The registry ${name} has the SHA-256 ${actual}, not ${expected}. The registry is not used.`,
  );
}

/** Verifies the signature of a text. @throws {RegistryError} `checksum_mismatch`, also for an invalid key. */
export function checkSignature(text: string, signature: string, publicKey: string, name: string): void {
  if (isSigned(text, signature, keyOf(publicKey, name))) return;
  throw new RegistryError(
    "checksum_mismatch",
    `The registry ${name} has no signature that matches the public key of its source. The registry is not used.`,
  );
}

function isSigned(text: string, signature: string, key: KeyObject): boolean {
  try {
    return verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), "base64"));
  } catch {
    return false;
  }
}

function keyOf(pem: string, name: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new RegistryError("checksum_mismatch", `The public key of the registry ${name} can't be read.`, { cause });
  }
}
