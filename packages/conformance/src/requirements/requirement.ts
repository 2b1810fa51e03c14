/** The level of a rule, as RFC 2119 defines the words. A `FACT` is a rule that the schema or the documents state without any of these words. */
export type RequirementLevel = "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY" | "FACT";

/** A side of the protocol. */
export type Role = "agent" | "client";

/**
 * The source of a rule. `derived`: this package inferred the rule, or the rule describes a gap of the specification; no peer fails because
 * of it. `transport rfd`: the RFD of the remote transports, which have no other specification. `draft`: the draft of version 2, which may
 * still change.
 */
export type RequirementSource =
  | "docs"
  | "schema"
  | "rfd"
  | "transport rfd"
  | "draft"
  | "later page"
  | "json-rpc"
  | "derived";

/** One rule of the protocol, as data. */
export interface Requirement {
  /** The id, `AREA-nn`. It never changes. */
  readonly id: string;
  readonly level: RequirementLevel;
  readonly binds: Role | "both";
  /** How the rule can be checked. `wire`: from messages alone. `harness`: with processes, files or a network as well. `review`: only by a person. */
  readonly observability: "wire" | "harness" | "review";
  readonly sources: readonly RequirementSource[];
  /** The optional part of the protocol that the rule belongs to. The rule applies only to peers that use that part. */
  readonly feature?: string;
  /** The ids under which the protocol's own test kit (`acp-tck`) checks the same rule, or a part of it. */
  readonly officialIds?: readonly string[];
  /**
   * The ids of more exact rules: each states this rule for one case only, or in the words of another page. A peer that breaks one of them
   * also breaks this rule. Findings cite the more exact rule.
   */
  readonly brokenBy?: readonly string[];
  /** The rule, in the words of this package. */
  readonly rule: string;
}
