import { join } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { RegistryError } from "../errors.js";
import { readBounded } from "../files/read-bounded.js";

const maxManifestBytes = 67_108_864;

/** The entry of a package in npm's `package-lock.json`. Its members have not been checked. */
export type LockedPackage = Readonly<Record<string, unknown>>;

/** A package that npm has installed, as its files describe it. */
export interface InstalledPackage {
  /** The contents of the `package.json` in the package. They can differ from the manifest in the package registry. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly version: string;
  readonly integrity: string | undefined;
  /** The packages of the installation by their paths, such as `node_modules/semver`. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/**
 * Returns the packages of an installation.
 *
 * @throws {RegistryError} `unsafe_archive` when a dependency is a folder of this machine: npm would link it into the
 * installation.
 */
export async function lockedPackages(folder: string): Promise<InstalledPackage["packages"]> {
  const { packages } = await readJson(join(folder, "package-lock.json"));
  const entries = Object.entries(isJsonObject(packages) ? packages : {}).filter(
    (entry): entry is [string, LockedPackage] => isJsonObject(entry[1]) && entry[0] !== "",
  );
  const outside = entries.find(([path, { link }]) => link === true || !path.startsWith("node_modules/"));
  if (outside !== undefined) {
    throw new RegistryError(
      "unsafe_archive",
      `The package depends on a folder of this machine (${outside[0].slice(0, 200)}). The package was not installed.`,
    );
  }
  return Object.fromEntries(entries);
}

/** Reads a JSON object that npm has written. @throws {RegistryError} `installer_failed`. */
export async function readJson(file: string): Promise<Record<string, unknown>> {
  const text = await readBounded(file, maxManifestBytes);
  const value = text === undefined ? undefined : parsed(text);
  if (isJsonObject(value)) return value;
  throw new RegistryError("installer_failed", `npm did not write ${file}. The package was not installed.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
