import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, ManifestFile } from "@acp-kit/codegen/load";
import { type SchemaFile, type Source, SourceError, type Stability } from "./source/schema-file.js";

/** The vendored files with their version and stability, in the order of the manifest. */
export const slots: readonly {
  readonly path: string;
  readonly protocolVersion: number;
  readonly stability: Stability;
}[] = [
  { path: "v1/schema.json", protocolVersion: 1, stability: "stable" },
  { path: "v1/schema.unstable.json", protocolVersion: 1, stability: "unstable" },
  { path: "v2/schema.json", protocolVersion: 2, stability: "stable" },
  { path: "v2/schema.unstable.json", protocolVersion: 2, stability: "unstable" },
];

/** Reads the manifest of a repository; `undefined` if there is none. */
export function readManifest(root: string): Manifest | undefined {
  const path = join(root, "schema/manifest.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : undefined;
}

/** Returns the text of a manifest. Only this function writes manifests. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Returns the slot of a file; `undefined` for a version that this repository doesn't vendor. */
export function slotOf(file: SchemaFile): string | undefined {
  return slots.find((slot) => slot.protocolVersion === file.protocolVersion && slot.stability === file.stability)?.path;
}

/**
 * Returns the manifest after a source has been adopted. A package or directory must contain all four files. A single
 * file, and a release of one protocol version, replace only their own files.
 *
 * @throws {SourceError} when a file is missing.
 */
export function nextManifest(source: Source, previous: Manifest | undefined): Manifest {
  const brought = new Map<string, ManifestFile>();
  for (const file of source.files) {
    const path = slotOf(file);
    if (path !== undefined) brought.set(path, entry(path, file));
  }
  const versions = new Set(source.files.map(({ protocolVersion }) => protocolVersion));
  const isPart = source.files.length === 1 || (source.files.length === 2 && versions.size === 1 && brought.size === 2);
  const missing = slots.filter(({ path }) => !brought.has(path)).map(({ path }) => path);
  if (brought.size === 0) throw new SourceError(`${source.label} has no schema of protocol version 1 or 2`);
  if (missing.length > 0 && (!isPart || previous === undefined)) {
    throw new SourceError(
      `${source.label} has no ${missing.join(", no ")}; the generator needs all four files. ` +
        "Packages contain them since version 2.0.0; a single file can be adopted on its own.",
    );
  }
  if (missing.length > 0 && previous !== undefined) {
    const files = previous.files.map((file) => {
      const now = brought.get(file.path);
      return now === undefined ? file : { ...now, source: now.source ?? source.origin };
    });
    const { unfinished: _, ...rest } = previous;
    return { ...rest, files };
  }
  return {
    source: source.origin,
    package: source.package ?? source.origin,
    version: source.version ?? "unversioned",
    license: source.license ?? previous?.license ?? "Apache-2.0",
    files: slots.flatMap(({ path }) => brought.get(path) ?? []),
  };
}

function entry(path: string, file: SchemaFile): ManifestFile {
  return {
    path,
    upstream: file.path,
    sha256: createHash("sha256").update(file.bytes).digest("hex"),
    size: file.bytes.byteLength,
    definitions: file.definitions,
    ...(file.release === undefined ? {} : { source: file.release }),
  };
}

/** Whether two manifests describe the same bytes, from any source. */
export function sameBytes(a: Manifest | undefined, b: Manifest): boolean {
  return (
    a !== undefined &&
    a.files.length === b.files.length &&
    b.files.every((file) => a.files.some((one) => one.path === file.path && one.sha256 === file.sha256))
  );
}
