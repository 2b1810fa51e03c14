import { open, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import semver from "semver";
import { isObject } from "../catalog/decode-members.js";
import type { PackageDistribution } from "../catalog/registry-document.js";
import { fileFailure, RegistryError } from "../errors.js";
import type { Variables } from "../files/directories.js";
import { readBounded } from "../files/read-bounded.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import type { InstallContext, InstallResult } from "./install-options.js";
import { type PackageSpec, packageSpec } from "./package-spec.js";
import { runInstaller } from "./run-installer.js";

const maxManifestBytes = 67_108_864;

/** Variables that npm sets for the programs that it runs: they describe another project than this one. */
const ofAnotherProject =
  /^npm_(?:package|lifecycle|command|execpath|node_execpath|config_(?:local_prefix|global_prefix|prefix|global|workspaces?|dry_run|package_lock|package_lock_only|omit|include|save))/i;

/**
 * Installs a package with its dependencies through npm, which checks the integrity of each, and finds its program. No `npx` is needed to
 * start it.
 *
 * @param wanted - the version to install instead of that of the registry.
 * @param pinned - npm's `integrity` of an earlier installation of the same version.
 */
export async function installNpm(
  distribution: PackageDistribution,
  wanted: string | undefined,
  pinned: string | undefined,
  context: InstallContext,
): Promise<InstallResult> {
  const { folder, env, limits, signal, onProgress } = context;
  const spec = packageSpec(distribution.package, "npx");
  const version = wanted ?? spec.version;
  const text = version === undefined ? spec.name : `${spec.name}@${version}`;
  const npm = findProgram("npm", programsHere(env));
  if (npm === undefined) {
    throw new RegistryError(
      "missing_tool",
      `${text} can't be installed: there is no npm on the PATH. Install Node.js with npm and try again.`,
    );
  }
  await writeFile(join(folder, "package.json"), '{ "private": true }\n').catch((error: unknown) => {
    throw fileFailure(`${text} can't be installed`, error);
  });
  onProgress({ step: "install", what: text });
  const options = [
    "--prefix",
    folder,
    "--save-exact",
    "--omit=dev",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--progress=false",
  ];
  await runInstaller(text, {
    name: "npm",
    command: npm,
    args: ["install", text, ...options],
    cwd: folder,
    env: ownVariables(env),
    timeoutMs: limits.installerMs,
    signal,
  });
  return await installed(distribution, spec, pinned, folder);
}

function ownVariables(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !ofAnotherProject.test(pair[0]),
    ),
  );
}

async function installed(
  distribution: PackageDistribution,
  { name }: PackageSpec,
  pinned: string | undefined,
  folder: string,
): Promise<InstallResult> {
  const root = ["node_modules", ...name.split("/")];
  const manifest = await readJson(join(folder, ...root, "package.json"));
  const integrity = await integrityOf(name, folder);
  const version = typeof manifest.version === "string" ? manifest.version : "";
  if (pinned !== undefined && integrity !== pinned) {
    throw new RegistryError(
      "checksum_mismatch",
      `${name}@${version} has the integrity ${integrity}, but ${pinned} when it was installed before. It was not installed.`,
    );
  }
  const bin = binOf(manifest, name, distribution.cmd);
  const file = join(...root, bin);
  const way = relative(join(...root), file);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) throw noProgram(name, distribution.cmd);
  const isNodeScript = await isScriptForNode(join(folder, file), name, distribution.cmd);
  const { node } = isObject(manifest.engines) ? manifest.engines : {};
  const launch = {
    file: file.split(sep).join("/"),
    isNodeScript,
    args: distribution.args ?? [],
    env: distribution.env ?? {},
  };
  return { launch, version, notes: notesOf(isNodeScript, node), ...(integrity !== undefined && { integrity }) };
}

function notesOf(isNodeScript: boolean, range: unknown): string[] {
  const here = process.versions.node;
  if (!isNodeScript || typeof range !== "string" || range.length > 200 || semver.validRange(range) === null) return [];
  return semver.satisfies(here, range) ? [] : [`It needs Node ${range}, but this is Node ${here}: it may not start.`];
}

/** As npx finds it: the only program, or the one that is named like the package. */
function binOf({ bin }: Record<string, unknown>, name: string, cmd: string | undefined): string {
  const own = name.split("/").pop() ?? name;
  const programs = typeof bin === "string" ? { [own]: bin } : isObject(bin) ? bin : {};
  const only = new Set(Object.values(programs)).size === 1 ? Object.keys(programs)[0] : undefined;
  const key = cmd ?? (Object.hasOwn(programs, own) ? own : only);
  const file = key !== undefined && Object.hasOwn(programs, key) ? programs[key] : undefined;
  if (typeof file !== "string" || file === "") throw noProgram(name, cmd);
  return file;
}

function noProgram(name: string, cmd: string | undefined): RegistryError {
  return new RegistryError(
    "no_distribution",
    `The package ${name} has no program${cmd === undefined ? "" : ` "${cmd}"`}. It was not installed.`,
  );
}

/** By the first line, as npm does; on Windows a file without one that is named like a script. */
async function isScriptForNode(path: string, name: string, cmd: string | undefined): Promise<boolean> {
  const handle = await open(path, "r").catch(() => {
    throw noProgram(name, cmd);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    const [line = ""] = buffer.toString("latin1", 0, bytesRead).split("\n", 1);
    if (line.startsWith("#!")) return /\bnode\b/.test(line);
    return /\.[cm]?js$/.test(path);
  } finally {
    await handle.close();
  }
}

async function integrityOf(name: string, folder: string): Promise<string | undefined> {
  const { packages } = await readJson(join(folder, "package-lock.json"));
  const entry = isObject(packages) ? packages[`node_modules/${name}`] : undefined;
  return isObject(entry) && typeof entry.integrity === "string" ? entry.integrity : undefined;
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  const text = await readBounded(file, maxManifestBytes);
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  if (isObject(value)) return value;
  throw new RegistryError("installer_failed", `npm wrote no ${file}. It was not installed.`);
}
