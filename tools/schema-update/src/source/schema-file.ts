import { checkNesting } from "@acp-kit/codegen/check-nesting";

/** A JSON object with unknown members. */
export type JsonObject = { readonly [key: string]: unknown };

export type Stability = "stable" | "unstable";

/** One schema file of a source, with its version and stability. */
export interface SchemaFile {
  /** The path inside the source, with forward slashes: `schema/v1/schema.json`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly document: JsonObject;
  /** The number of `$defs`. */
  readonly definitions: number;
  readonly protocolVersion: number;
  readonly stability: Stability;
  /** The release that contains the file, if the other files of its source are of other releases. */
  readonly release?: string | undefined;
}

/** A source that the user names: a package version, a release of the specification, a directory, file or address. */
export interface Source {
  /** The name of the source for headings: `@agentclientprotocol/sdk 2.4.0`, `schema`, `./old.json`. */
  readonly label: string;
  /**
   * The origin for the manifest: `npm:@agentclientprotocol/sdk@2.4.0`, an address, or `file:` and a name. Never a whole
   * path, because the manifest is committed and must not contain local directories.
   */
  readonly origin: string;
  readonly package: string | undefined;
  readonly version: string | undefined;
  readonly license: string | undefined;
  readonly files: readonly SchemaFile[];
}

/** The source can't be used. The message contains the reason and what to do. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}

/** A folder is called after its protocol version, or after a release: `v1`, `v1.34`, `schema-v2.0.0-alpha.17`. */
const schemaPath = /(?:^|\/)(?:(?:schema-)?v(\d+)(?:\.[\w.-]*)?\/)?schema(?:\.v(\d+))?(\.unstable)?\.json$/;

/** Whether a path has one of the names that schema files had over the years. */
export function isSchemaPath(path: string): boolean {
  return schemaPath.test(path);
}

/** Returns the root folder of a schema path: `schema` for `schema/v2/schema.unstable.json`. */
export function schemaBase(path: string): string {
  return path.replace(schemaPath, "");
}

/**
 * Parses a file and determines its protocol version and stability.
 *
 * If the path contains version and stability, the path determines them. `schema/schema.json` is ambiguous: in the 0.x
 * and 1.x packages it is the *unstable* schema of version 1, in the protocol's repository (with a `meta.json` beside
 * it) the stable one.
 *
 * @param siblings - the other paths of the source.
 * @throws {SourceError} when the bytes are not a schema.
 */
export function readSchemaFile(path: string, bytes: Uint8Array, siblings: readonly string[]): SchemaFile {
  const document = parse(path, bytes);
  const [, folder, infix, unstable] = schemaPath.exec(path) ?? [];
  const version = folder ?? infix;
  return {
    path,
    bytes,
    document,
    definitions: Object.keys(definitionsOf(document)).length,
    protocolVersion: version === undefined ? versionByContent(document) : Number(version),
    stability: stabilityOf(path, unstable !== undefined, document, siblings),
  };
}

function parse(path: string, bytes: Uint8Array): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SourceError(`${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (!isObject(document) || Object.keys(definitionsOf(document)).length === 0) {
    throw new SourceError(`${path} is not a protocol schema: it has no $defs`);
  }
  try {
    checkNesting(document);
  } catch (cause) {
    throw new SourceError(`${path} can't be read: ${(cause as Error).message}`, { cause });
  }
  return document;
}

function stabilityOf(
  path: string,
  unstableName: boolean,
  document: JsonObject,
  siblings: readonly string[],
): Stability {
  if (unstableName) return "unstable";
  const beside = (name: string): boolean => siblings.includes(path.replace(/[^/]+$/, name));
  const unstablePath = path.replace(/\.json$/, ".unstable.json");
  if (siblings.includes(unstablePath) || beside("meta.json")) return "stable";
  return JSON.stringify(document).includes("**UNSTABLE**") ? "unstable" : "stable";
}

/** Version 2 has no file system methods and no `session/load`; version 1 always had them. */
function versionByContent(document: JsonObject): number {
  const definitions = definitionsOf(document);
  const methods = Object.values(definitions).flatMap((schema) => (isObject(schema) ? [schema["x-method"]] : []));
  if (methods.includes("fs/read_text_file") || methods.includes("session/load")) return 1;
  return "StateUpdate" in definitions || "UpdateSessionNotification" in definitions ? 2 : 1;
}

function definitionsOf(document: JsonObject): JsonObject {
  return isObject(document.$defs) ? document.$defs : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
