import { RegistryError } from "../errors.js";

/** A package, with its version or tag if the registry contains one. */
export interface PackageSpec {
  readonly name: string;
  readonly version?: string;
}

const npm = /^(?<name>(?:@[a-z0-9~][\w.~-]{0,100}\/)?[a-z0-9~][\w.~-]{0,200})(?:@(?<version>[\w.+-]{1,128}))?$/i;
const pypi =
  /^(?<name>[a-z0-9](?:[\w.-]{0,200}[a-z0-9])?)(?:\[[\w.,-]{1,100}\])?(?:(?:==|@)(?<version>[\w.+!-]{1,128}))?$/i;

/**
 * Parses the package of a distribution. Allows only names of a package registry, because npm would also install a
 * folder, a URL or a repository, and would parse a name that starts with a hyphen as an option.
 *
 * @throws {RegistryError} `invalid_registry`.
 */
export function packageSpec(text: string, kind: "npx" | "uvx"): PackageSpec {
  const { name, version } = (kind === "npx" ? npm : pypi).exec(text)?.groups ?? {};
  if (name === undefined) {
    throw new RegistryError(
      "invalid_registry",
      `The registry contains the package ${JSON.stringify(text.slice(0, 200))}, which is not a package name with an optional version.`,
    );
  }
  return { name, ...(version !== undefined && { version }) };
}
