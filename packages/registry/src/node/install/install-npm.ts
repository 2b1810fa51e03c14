import { writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import semver from "semver";
import { isText } from "../catalog/decode-members.js";
import type { PackageDistribution } from "../catalog/registry-document.js";
import { fileFailure, RegistryError } from "../errors.js";
import type { Variables } from "../files/directories.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import type { InstallContext, InstallResult } from "./install-options.js";
import { type InstalledPackage, lockedPackages, readJson } from "./npm-files.js";
import { isScriptForNode, programOf } from "./npm-program.js";
import { chooseScripts, skippedNotes } from "./npm-scripts.js";
import { type PackageSpec, packageSpec } from "./package-spec.js";
import { runInstaller } from "./run-installer.js";

/**
 * The names of variables that npm sets for the programs that it runs. If the caller runs in npm, these variables
 * describe the caller's project, not this installation.
 */
const ofAnotherProject =
  /^npm_(?:package|lifecycle|command|execpath|node_execpath|config_(?:local_prefix|global_prefix|prefix|global|workspaces?|dry_run|package_lock|package_lock_only|omit|include|save))/i;

/**
 * Installs a package and its dependencies with npm, and finds the program of the package. npm verifies the integrity of
 * each package. The program starts without `npx`.
 *
 * At first, npm runs no install scripts (`--ignore-scripts`). After the files are verified, `npm rebuild` runs the
 * scripts that `chooseScripts` allows.
 *
 * @param wanted - the version to install, instead of the version of the registry.
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
      `${text} can't be installed: npm is not on the PATH. Install Node.js with npm and try again.`,
    );
  }
  await writeFile(join(folder, "package.json"), '{ "private": true }\n').catch((error: unknown) => {
    throw fileFailure(`${text} can't be installed`, error);
  });
  onProgress({ step: "install", what: text });
  const runNpm = (args: readonly string[]): Promise<void> =>
    runInstaller(text, {
      name: "npm",
      command: npm,
      args: [...args, ...npmOptions(folder)],
      cwd: folder,
      env: ownVariables(env),
      timeoutMs: limits.installerMs,
      signal,
      ledger: context.ledger,
    });
  await runNpm(["install", text, "--ignore-scripts", "--save-exact"]);
  const found = await verified(spec, pinned, folder);
  const { command, skipped } = chooseScripts(spec.name, found, context.scripts);
  // Without this option, the user's npm settings could forbid the scripts that the caller allows.
  if (command !== undefined) await runNpm([...command, ...(context.scripts ? ["--ignore-scripts=false"] : [])]);
  return await launchOf(distribution, spec, found, skippedNotes(skipped), folder);
}

/**
 * The options of each call of npm. The registry, the cache and the credentials come from the user's npm settings.
 * Settings that would change which files npm writes are overridden.
 */
function npmOptions(folder: string): string[] {
  return [
    "--prefix",
    folder,
    "--global=false",
    "--dry-run=false",
    "--save",
    "--package-lock",
    "--package-lock-only=false",
    "--install-strategy=hoisted",
    "--omit=dev",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--progress=false",
  ];
}

function ownVariables(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !ofAnotherProject.test(pair[0]),
    ),
  );
}

/** Verifies the files that npm has written, before any of them runs. */
async function verified({ name }: PackageSpec, pinned: string | undefined, folder: string): Promise<InstalledPackage> {
  const manifest = await readJson(join(folder, "node_modules", ...name.split("/"), "package.json"));
  const packages = await lockedPackages(folder);
  const { integrity } = packages[`node_modules/${name}`] ?? {};
  const { version } = manifest;
  // The `package.json` in the package may differ from the one in the package registry, because npm does not compare
  // them. So it may have no version.
  if (!isText(version)) {
    throw new RegistryError(
      "no_distribution",
      `The package.json of ${name} has no version. The package was not installed.`,
    );
  }
  if (pinned !== undefined && integrity !== pinned) {
    throw new RegistryError(
      "checksum_mismatch",
      `${name}@${version} has the integrity ${String(integrity)}, but had ${pinned} when it was installed before. The package was not installed.`,
    );
  }
  return { manifest, version, packages, integrity: isText(integrity) ? integrity : undefined };
}

async function launchOf(
  distribution: PackageDistribution,
  { name }: PackageSpec,
  { manifest, version, integrity }: InstalledPackage,
  notes: readonly string[],
  folder: string,
): Promise<InstallResult> {
  const file = await programOf(folder, name, manifest, distribution.cmd);
  const isNodeScript = await isScriptForNode(join(folder, file));
  const { node } = isJsonObject(manifest.engines) ? manifest.engines : {};
  const launch = {
    file: file.split(sep).join("/"),
    isNodeScript,
    args: distribution.args ?? [],
    env: distribution.env ?? {},
  };
  return {
    launch,
    version,
    notes: [...nodeNotes(isNodeScript, node), ...notes],
    ...(integrity !== undefined && { integrity }),
  };
}

function nodeNotes(isNodeScript: boolean, range: unknown): string[] {
  const here = process.versions.node;
  if (!isNodeScript || typeof range !== "string" || range.length > 200 || semver.validRange(range) === null) return [];
  return semver.satisfies(here, range)
    ? []
    : [`The agent needs Node ${range}, but this is Node ${here}. The agent may not start.`];
}
