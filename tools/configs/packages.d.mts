/** A project of this workspace. */
export interface Project {
  readonly name: string;
  readonly directory: string;
  readonly manifest: Manifest;
}

/** The fields of a `package.json` that the tools read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export const root: string;
export function entries(directory: string): { subpath: string; source: string; output: string }[];
export function packages(): Project[];
export function projects(): Project[];
