/** A login method that an agent offers. */
export interface LoginQuirk {
  readonly id: string;
  /** How it works: in the agent, by a command in a terminal, or by environment variables. */
  readonly kind: string;
}

/** A feature of an agent that is not as it advertises. */
export interface FeatureQuirk {
  /** The method or the capability, such as `session/load`. */
  readonly feature: string;
  /** What was observed. */
  readonly observed: string;
}

/** What was measured of one version of an agent. Times are left out: they depend on the machine. */
export interface AgentQuirks {
  /** The agent's id in the registry. */
  readonly agent: string;
  readonly name: string;
  /** The versions that this row holds for, as a range: what was measured, and later ones until they are measured. */
  readonly versions: string;
  readonly measured: {
    /** The version that was measured. */
    readonly version: string;
    /** The day, as `YYYY-MM-DD`. */
    readonly on: string;
    /** The platform and the Node that ran it, such as `linux-x86_64, Node 24`. */
    readonly where: string;
  };
  /** The arguments with which it speaks the protocol. */
  readonly args: readonly string[];
  readonly protocolVersion: number;
  /** The login methods that it offers, and whether a session needs one of them. */
  readonly logins: readonly LoginQuirk[];
  readonly needsLogin: boolean;
  /** Its capabilities, as paths: `loadSession`, `promptCapabilities.image`. */
  readonly offers: readonly string[];
  /** What it advertises and does not do. */
  readonly offeredButBroken: readonly FeatureQuirk[];
  /** What it does and does not advertise. */
  readonly worksUnoffered: readonly FeatureQuirk[];
  /** Updates and methods that the schema does not have. */
  readonly outsideSchema: readonly string[];
  /** The compatibility rules of the client that it needs: names of `dialectRules`. */
  readonly rules: readonly string[];
  /** How a cancelled turn ends: a stop reason, `error <code>`, or `none` within the time limit. */
  readonly onCancel: string;
  /** How it reacts when its input ends: `exits <code>`, or `ended by <signal>` if it stays. */
  readonly onEndOfInput: string;
  /** Programs that it leaves running outside its process group. */
  readonly leavesBehind: readonly string[];
  /** The verdict of the conformance kit, and the requirements that it breaks. */
  readonly conformance: { readonly verdict: string; readonly breaks: readonly string[] };
}

/** How the launch of an agent differs between versions. Each has its source: they are documented, not measured. */
export interface LaunchQuirk {
  readonly agent: string;
  /** A range of versions. */
  readonly versions: string;
  /** Arguments that these versions have under another name. */
  readonly renamedArgs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may send nothing after its start, in milliseconds. */
  readonly startTimeoutMs?: number;
  /** How long it may take to exit when its input ends, in milliseconds. */
  readonly exitGraceMs?: number;
  readonly why: string;
  readonly source: string;
}
