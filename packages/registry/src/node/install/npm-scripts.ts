import { isJsonObject } from "@acp-kit/protocol/internal";
import { isText } from "../catalog/decode-members.js";
import type { InstalledPackage } from "./npm-files.js";

/**
 * The packages whose own install script runs even if the caller does not allow scripts, because their program does not
 * start without this script. Scripts of their dependencies do not run.
 *
 * - `opencode-ai`: `postinstall.mjs` links the program of the package for this platform to the path in `bin`.
 */
const needScripts: ReadonlySet<string> = new Set(["opencode-ai"]);

/** The names of the scripts that npm runs when it installs a package. */
const installScripts = ["preinstall", "install", "postinstall"];

/** The arguments of npm that run the allowed install scripts, and the packages whose scripts do not run. */
export interface ScriptChoice {
  readonly command: readonly string[] | undefined;
  readonly skipped: readonly string[];
}

/**
 * Chooses the install scripts that run: all of them if the caller allows it, otherwise only those of a package that
 * does not work without them. A script runs with the rights of the user.
 *
 * @param isAllowed - whether the caller allows all scripts of the package and its dependencies.
 */
export function chooseScripts(
  name: string,
  { manifest, packages }: Pick<InstalledPackage, "manifest" | "packages">,
  isAllowed: boolean,
): ScriptChoice {
  // The entry of the lock file comes from the package registry, the manifest from the package itself. They can differ.
  const dependencies = Object.entries(packages)
    .filter(([, { hasInstallScript, optional }]) => hasInstallScript === true && optional !== true)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  const own = hasScript(manifest.scripts) ? [name] : [];
  const all = [...new Set([...own, ...dependencies])].sort();
  if (isAllowed) return { command: ["rebuild"], skipped: [] };
  if (!needScripts.has(name)) return { command: undefined, skipped: all };
  return { command: ["rebuild", name], skipped: all.filter((each) => each !== name) };
}

/** Returns the warning about scripts that did not run, except those of optional dependencies. */
export function skippedNotes(skipped: readonly string[]): string[] {
  if (skipped.length === 0) return [];
  const named = skipped.slice(0, 5).join(", ");
  const more = skipped.length > 5 ? ` and ${skipped.length - 5} more` : "";
  return [
    `The install scripts of ${named}${more} were not run. If the agent does not start, allow them with: acp-kit agents install --scripts`,
  ];
}

function hasScript(scripts: unknown): boolean {
  return isJsonObject(scripts) && installScripts.some((each) => isText(scripts[each]));
}
