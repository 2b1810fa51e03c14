/** How an agent is installed and run from a package of npm (`npx`) or PyPI (`uvx`). */
export interface PackageDistribution {
  /** The package, usually with its version: `@scope/name@1.2.3`, `name==1.2.3`. */
  readonly package: string;
  /** The name of the program, if the package has several programs and none of them has the name of the package. */
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

/** The distributions of an agent, one or more. The decoder keeps distributions of unknown kinds. */
export interface AgentDistribution {
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  /** The downloads for each platform: `darwin-aarch64`, `linux-x86_64`, … */
  readonly binary?: Readonly<Record<string, BinaryTarget>>;
  readonly [kind: string]: unknown;
}

/** An agent, as a registry describes it. The decoder keeps unknown members. */
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
  /** A pre-release version of the agent. */
  readonly preview?: {
    readonly version: string;
    readonly distribution: AgentDistribution;
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/** The index of a registry. `extensions` is of an earlier revision of the format. Unknown members are kept. */
export interface RegistryDocument {
  readonly version: string;
  readonly agents: readonly RegistryAgent[];
  readonly extensions?: readonly unknown[];
  readonly [member: string]: unknown;
}

/** A part of a registry that is ignored because it is invalid or unknown. All other parts are used. */
export interface RegistryProblem {
  /** The path in the document, such as `agents[3].distribution.npx`; empty for a problem of the whole source. */
  readonly path: string;
  readonly message: string;
}
