/** How an agent is installed and run from a package of npm (`npx`) or PyPI (`uvx`). */
export interface PackageDistribution {
  /** The package, usually with its version: `@scope/name@1.2.3`, `name==1.2.3`. */
  readonly package: string;
  /** The program of the package, where it is not its only one or the one of its name. */
  readonly cmd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** How an agent is downloaded and run on one platform. */
export interface BinaryTarget {
  /** The URL of an archive, or of the program itself. */
  readonly archive: string;
  /** The program, relative to the archive's root. */
  readonly cmd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The SHA-256 of the download, in hexadecimal. */
  readonly sha256?: string;
  readonly [member: string]: unknown;
}

/** The distributions of an agent: one or more kinds. Kinds of later revisions are kept. */
export interface AgentDistribution {
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  /** By platform: `darwin-aarch64`, `linux-x86_64`, … */
  readonly binary?: Readonly<Record<string, BinaryTarget>>;
  readonly [kind: string]: unknown;
}

/** An agent as a registry describes it. Members that this version does not know are kept. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly distribution: AgentDistribution;
  readonly repository?: string;
  readonly website?: string;
  readonly authors?: readonly string[];
  readonly license?: string;
  readonly license_url?: string;
  readonly icon?: string;
  /** A pre-release of the same agent. */
  readonly preview?: {
    readonly version: string;
    readonly distribution: AgentDistribution;
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/** A registry's index. `extensions` belongs to an earlier revision. Unknown members are kept. */
export interface RegistryDocument {
  readonly version: string;
  readonly agents: readonly RegistryAgent[];
  readonly extensions?: readonly unknown[];
  readonly [member: string]: unknown;
}

/** A part of a registry that can't be used, or is not understood. The rest is used. */
export interface RegistryProblem {
  /** Where in the document, such as `agents[3].distribution.npx`. */
  readonly path: string;
  readonly message: string;
}
