/** A package of this workspace, as `packages()` returns it. */
interface Project {
  readonly name: string;
  readonly directory: string;
  readonly manifest: { readonly files?: readonly string[] };
}

/**
 * The declarations of a built or packed package that its entry points reach by relative imports, sorted, with forward slashes.
 *
 * @param outputs - what its entries are built to: `index`, `node/index`.
 */
export function reachableDeclarations(directory: string, outputs: readonly string[]): string[];

/** The `files` of a manifest as they should be: those packages that every agent installs leave out unreachable declarations. */
export function filesOf(project: Project): string[];
