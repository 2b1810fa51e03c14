/** A package of this workspace, as `packages()` returns it. */
interface Project {
  readonly name: string;
  readonly directory: string;
  readonly manifest: { readonly files?: readonly string[] };
}

/**
 * Returns the declarations of a built or packed package that its entry points reach by relative imports, sorted, with
 * forward slashes.
 *
 * @param outputs - the built files of the entries: `index`, `node/index`.
 */
export function reachableDeclarations(directory: string, outputs: readonly string[]): string[];

/**
 * Returns the field `files` that a manifest should have. The packages that every agent installs leave out unreachable
 * declarations.
 */
export function filesOf(project: Project): string[];
