import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { RegistryError } from "../errors.js";
import { sha256 } from "./document-cache.js";
import type { RegistrySnapshot } from "./snapshot.js";

/** Where agents are described: a registry at a URL, a file, or a document of the application. */
export type RegistrySource = UrlSource | FileSource | DocumentSource;

/** What all kinds of sources have. */
export interface SourceOptions {
  /** The name in messages; default: the URL or the path. */
  readonly name?: string;
  /** The SHA-256 of the text, in hexadecimal; another text is refused. */
  readonly sha256?: string;
  /** The registry can't be opened without this source. Set it where a later source must not replace its agents. */
  readonly required?: boolean;
}

/** A registry at an `https:` URL, or at an `http:` URL of this machine. */
export interface UrlSource extends SourceOptions {
  readonly url: string;
  /** Headers of the request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An Ed25519 public key as PEM: the text must be signed, with the base64 signature at `<url>.sig`. */
  readonly publicKey?: string;
  /** Used while neither the server nor the cache has the registry. */
  readonly snapshot?: RegistrySnapshot;
}

/** A registry in a local file. */
export interface FileSource extends SourceOptions {
  readonly file: string;
}

/** A registry that the application has. */
export interface DocumentSource extends Omit<SourceOptions, "sha256"> {
  readonly document: unknown;
}

/** The name of a source in messages, without credentials. */
export function sourceName(source: RegistrySource): string {
  if (source.name !== undefined) return source.name;
  if ("url" in source) return source.url.replace(/[?#].*$/s, "").replace(/\/\/[^/@]*@/, "//");
  return "file" in source ? source.file : "a document of the application";
}

/** @throws {RegistryError} `checksum_mismatch`. */
export function checkSha256(text: string, expected: string | undefined, name: string): void {
  const actual = sha256(text);
  if (expected === undefined || actual === expected.toLowerCase()) return;
  throw new RegistryError(
    "checksum_mismatch",
    `The registry ${name} has the SHA-256 ${actual}, not ${expected}. It is not used.`,
  );
}

/** @throws {RegistryError} `checksum_mismatch`, also for a key that can't be read. */
export function checkSignature(text: string, signature: string, publicKey: string, name: string): void {
  if (isSigned(text, signature, keyOf(publicKey, name))) return;
  throw new RegistryError(
    "checksum_mismatch",
    `The registry ${name} is not signed with the key of its source. It is not used.`,
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
