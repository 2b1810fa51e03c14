import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SourceError } from "./schema-file.js";
import { readTarball } from "./tarball.js";

/** The package that contains the schema files. */
export const schemaPackage = "@agentclientprotocol/sdk";

export interface NpmSpec {
  readonly name: string;
  /** A version, a range or a tag. */
  readonly version: string;
}

/**
 * Parses an npm specifier: `2.4.0`, `latest`, `@agentclientprotocol/sdk@2.1.0`, `npm:@agentclientprotocol/sdk`;
 * `undefined` for anything else, such as a path.
 */
export function parseNpmSpec(text: string): NpmSpec | undefined {
  const spec = text.replace(/^npm:/, "");
  if (/^[\^~]?\d+\.\d+(\.\d+)?(-[\w.]+)?$/.test(spec) || /^(latest|next)$/.test(spec))
    return { name: schemaPackage, version: spec };
  const match = /^(@[\w.-]+\/[\w.-]+|[\w.-]+)(?:@([^@/]+))?$/.exec(spec);
  if (match?.[1] === undefined || (!text.startsWith("npm:") && !match[1].startsWith("@"))) return undefined;
  return { name: match[1], version: match[2] ?? "latest" };
}

/**
 * Resolves a tag or range to a version, from the registry.
 *
 * @throws {SourceError} when no version matches, or the registry can't be reached.
 */
export function resolveNpmVersion({ name, version }: NpmSpec): string {
  const answer: unknown = JSON.parse(
    npm(["view", `${name}@${version}`, "version", "--json"], `look up ${name}@${version}`) || "null",
  );
  const found = Array.isArray(answer) ? answer.at(-1) : answer;
  if (typeof found !== "string") throw new SourceError(`npm knows no version of ${name} that matches "${version}"`);
  return found;
}

/**
 * Downloads a package and reads its files. npm checks the integrity of the download.
 *
 * @throws {SourceError} when the version does not exist or can't be downloaded.
 */
export function fetchNpmPackage({ name, version }: NpmSpec): ReadonlyMap<string, Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), "schema-update-"));
  try {
    const output = npm(
      ["pack", `${name}@${version}`, "--json", "--ignore-scripts", "--pack-destination", directory],
      `download ${name}@${version}`,
    );
    const packed = JSON.parse(output) as readonly { readonly filename: string }[];
    const filename = packed[0]?.filename.replace(/^@/, "").replace("/", "-");
    if (filename === undefined) throw new SourceError(`npm pack ${name}@${version} wrote no archive`);
    return withoutRoot(readTarball(readFileSync(join(directory, filename))));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the paths without the top folder of npm archives, usually `package/`. */
export function withoutRoot(files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  return new Map([...files].map(([path, bytes]) => [path.replace(/^[^/]+\//, ""), bytes]));
}

function npm(args: readonly string[], purpose: string): string {
  // npm runs outside the workspace, because it must not read the workspace's settings: some of them are for pnpm.
  const run = spawnSync("npm", args, {
    cwd: tmpdir(),
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error !== undefined)
    throw new SourceError(`Could not ${purpose}: npm could not be started (${run.error.message})`, {
      cause: run.error,
    });
  if (run.status !== 0) throw new SourceError(`Could not ${purpose}: ${reason(run.stderr)}`);
  return run.stdout;
}

function reason(stderr: string): string {
  const lines = stderr
    .split("\n")
    .filter((line) => /^npm (error|ERR!)/.test(line) && !/A complete log|code E/.test(line));
  return (
    lines.map((line) => line.replace(/^npm (error|ERR!)\s*/, "")).find((line) => line !== "") ??
    (stderr.trim() || "npm failed without a reason")
  );
}
