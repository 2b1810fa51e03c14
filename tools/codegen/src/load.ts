import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { checkNesting } from "./check-nesting.js";
import type { RawDocument } from "./raw-schema.js";

/** `schema/manifest.json`: the origin of the vendored bytes, against which the generator verifies every file. */
export interface Manifest {
  /**
   * `npm:@agentclientprotocol/sdk@2.4.0`, `github:agentclientprotocol/agent-client-protocol@schema-v1.34.0`, or the
   * directory or address.
   */
  readonly source: string;
  readonly package: string;
  readonly version: string;
  readonly license: string;
  readonly files: readonly ManifestFile[];
  /** The step of `pnpm schema:update --keep` that failed. The code must then be adapted to these bytes by hand. */
  readonly unfinished?: string;
  /** The schema was kept before its decisions were made (`--decided`). */
  readonly undecided?: true;
}

/** One vendored file. */
export interface ManifestFile {
  /** Relative to `schema/`, with forward slashes: `v1/schema.json`. */
  readonly path: string;
  /** The file's path in the repository, archive or folder from which the schema was taken. */
  readonly upstream: string;
  readonly sha256: string;
  readonly size: number;
  /** The number of `$defs`. */
  readonly definitions: number;
  /** The source of this file, if it differs from that of the others. */
  readonly source?: string;
}

/** A parsed schema file whose bytes have been verified. */
export interface LoadedSchema {
  /** `v1`, `v1-unstable`, `v2`, `v2-unstable`. */
  readonly id: string;
  readonly protocolVersion: number;
  readonly unstable: boolean;
  readonly source: { readonly path: string; readonly package: string; readonly sha256: string };
  readonly document: RawDocument;
}

/** The repository's `schema/` directory, independent of the current directory. */
export const schemaDirectory: string = fileURLToPath(new URL("../../../schema/", import.meta.url));

/** The four files in the order of their generation. */
export const schemaPaths: readonly string[] = [
  "v1/schema.json",
  "v1/schema.unstable.json",
  "v2/schema.json",
  "v2/schema.unstable.json",
];

/** Reads `manifest.json` of a schema directory. */
export function loadManifest(directory: string = schemaDirectory): Manifest {
  return JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as Manifest;
}

/**
 * Reads one schema file and checks it against the manifest two directories up.
 *
 * @param path - the file, e.g. `schema/v1/schema.json`.
 * @throws when the manifest describes other bytes.
 */
export function loadSchema(path: string): LoadedSchema {
  const directory = dirname(dirname(path));
  const name = relative(directory, path).split(sep).join("/");
  return readSchema(name, readFileSync(path), loadManifest(directory));
}

/**
 * Does the same as {@link loadSchema} for bytes that are already read.
 *
 * @param name - the path relative to the schema directory, `v1/schema.json`; it determines version and stability.
 */
export function readSchema(name: string, bytes: Uint8Array, manifest: Manifest): LoadedSchema {
  const entry = manifest.files.find((file) => file.path === name);
  if (entry === undefined) throw new Error(`schema/${name} is not listed in schema/manifest.json`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== entry.sha256 || bytes.byteLength !== entry.size) {
    throw new Error(
      `schema/${name} is not the file that schema/manifest.json describes: ` +
        `expected ${entry.size} bytes with sha256 ${entry.sha256}, found ${bytes.byteLength} bytes with ${sha256}. ` +
        "Vendored bytes are never edited or reformatted (line endings included); restore the file, or run `pnpm schema:update`.",
    );
  }
  const document = JSON.parse(new TextDecoder().decode(bytes)) as RawDocument;
  try {
    checkNesting(document);
  } catch (cause) {
    throw new Error(`schema/${name} can't be read: ${(cause as Error).message}`, { cause });
  }
  const definitions = Object.keys(document.$defs ?? {}).length;
  if (definitions !== entry.definitions) {
    throw new Error(
      `schema/${name} has ${definitions} definitions, but schema/manifest.json says ${entry.definitions}; run \`pnpm schema:update\`.`,
    );
  }
  const match = /^v(\d+)\/schema(\.unstable)?\.json$/.exec(name);
  if (match === null)
    throw new Error(`schema/${name}: expected a path such as v1/schema.json or v2/schema.unstable.json`);
  const unstable = match[2] !== undefined;
  return {
    id: `v${match[1]}${unstable ? "-unstable" : ""}`,
    protocolVersion: Number(match[1]),
    unstable,
    source: { path: entry.upstream, package: entry.source ?? `${manifest.package} ${manifest.version}`, sha256 },
    document,
  };
}
