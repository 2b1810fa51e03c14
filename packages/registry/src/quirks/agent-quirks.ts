/** A login method that an agent advertises. */
export interface LoginQuirk {
  readonly id: string;
  /** How the user logs in: in the agent, by a command in a terminal, or by environment variables. */
  readonly kind: string;
}

/** A feature that differs from the capabilities that the agent advertises. */
export interface FeatureQuirk {
  /** The method or the capability, such as `session/load`. */
  readonly feature: string;
  /** The observed behaviour. */
  readonly observed: string;
  /** `true` if only some measurements of the version showed this behaviour. */
  readonly inSomeRuns?: boolean;
}

/** The measured behaviour of a version of an agent. It has no durations, which depend on the machine. */
export interface AgentQuirks {
  /** The agent's id in the registry. */
  readonly agent: string;
  readonly name: string;
  /** The versions to which this row applies: the measured one, and later ones that are not yet measured. */
  readonly versions: string;
  readonly measured: {
    /** The measured version. */
    readonly version: string;
    /** The day, as `YYYY-MM-DD`. */
    readonly on: string;
    /** The platform, and the version of Node that ran the measurement, such as `linux-x64, Node 24`. */
    readonly where: string;
  };
  /** The arguments with which the agent speaks the protocol. */
  readonly args: readonly string[];
  readonly protocolVersion: number;
  /** The advertised login methods; `needsLogin` is whether a session needs a login. */
  readonly logins: readonly LoginQuirk[];
  readonly needsLogin: boolean;
  /** The advertised capabilities, as paths: `loadSession`, `promptCapabilities.image`. */
  readonly offers: readonly string[];
  /** The methods that were called, advertised or not. Empty without a session. Others were not tested. */
  readonly probed: readonly string[];
  /** Features that the agent advertises, but that fail. */
  readonly offeredButBroken: readonly FeatureQuirk[];
  /** Features that work, but that the agent does not advertise. */
  readonly worksUnoffered: readonly FeatureQuirk[];
  /** The updates and methods that the agent sends although they are not in the schema. */
  readonly outsideSchema: readonly string[];
  /** The compatibility rules of the client that apply to the agent: names of `dialectRules`. */
  readonly rules: readonly string[];
  /** How a cancelled turn ends: a stop reason, `error <code>`, or `none` if it does not end within the time limit. */
  readonly onCancel: string;
  /** The reaction to the end of standard input: `exits <code>`, or `ended by <signal>` if the agent does not exit. */
  readonly onEndOfInput: string;
  /** Programs that the agent leaves running outside its process group. */
  readonly leavesBehind: readonly string[];
  /**
   * The same measurements over version 2 of the protocol. `null` if the agent chooses version 1; absent in rows from
   * before version 2 was measured.
   */
  readonly version2?: Pick<AgentQuirks, "offers" | "probed" | "offeredButBroken" | "outsideSchema" | "onCancel"> | null;
  /** The verdict of the conformance kit, and the ids of the broken rules; absent if the kit was not run. */
  readonly conformance?: { readonly verdict: string; readonly breaks: readonly string[] };
}

/** How some versions of an agent must be started, from the agent's documentation: see `source`. */
export interface LaunchQuirk {
  readonly agent: string;
  /** A range of versions. */
  readonly versions: string;
  /** Arguments with another name in these versions, by their usual names. */
  readonly renamedArgs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum time from the start to the first output, in milliseconds. */
  readonly startTimeoutMs?: number;
  /** Maximum time from the end of standard input to the exit, in milliseconds. */
  readonly exitGraceMs?: number;
  /** Programs that these versions leave running on purpose, such as a daemon, by their names without a path. */
  readonly leavesBehind?: readonly string[];
  readonly why: string;
  readonly source: string;
}
