import { RegistryError } from "../errors.js";

/** A package, and its version or tag where the registry names one. */
export interface PackageSpec {
  readonly name: string;
  readonly version?: string;
}

const npm = /^(?<name>(?:@[a-z0-9~][\w.~-]{0,100}\/)?[a-z0-9~][\w.~-]{0,200})(?:@(?<version>[\w.+-]{1,128}))?$/i;
const pypi =
  /^(?<name>[a-z0-9](?:[\w.-]{0,200}[a-z0-9])?)(?:\[[\w.,-]{1,100}\])?(?:(?:==|@)(?<version>[\w.+!-]{1,128}))?$/i;

/**
 * Reads the package of a distribution. Only packages of a package registry are allowed: npm would also take a folder, a URL or a repository,
 * and an argument that starts with a hyphen for an option.
 *
 * @throws {RegistryError} `invalid_registry`.
 */
export function packageSpec(text: string, kind: "npx" | "uvx"): PackageSpec {
  const { name, version } = (kind === "npx" ? npm : pypi).exec(text)?.groups ?? {};
  if (name === undefined) {
    throw new RegistryError(
      "invalid_registry",
      `The registry names the package ${JSON.stringify(text.slice(0, 200))}, which is not a name with a version.`,
    );
  }
  return { name, ...(version !== undefined && { version }) };
}
