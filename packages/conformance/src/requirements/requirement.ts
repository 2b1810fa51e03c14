/** The level of a rule in RFC 2119's words; a `FACT` is stated by the schema or the documents without any of them. */
export type RequirementLevel = "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY" | "FACT";

/** A side of the protocol. */
export type Role = "agent" | "client";

/**
 * The source of a rule. `derived` is this package's inference, or a gap that it names; no peer fails because of it. `transport rfd` is the
 * RFD of the remote transports, which have no other specification; `draft` is that of version 2, which may still change.
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
  /** `AREA-nn`; stable. */
  readonly id: string;
  readonly level: RequirementLevel;
  readonly binds: Role | "both";
  /** How the rule can be checked. `wire`: from messages alone; `harness`: needs a process, files or a network as well; `review`: by a person. */
  readonly observability: "wire" | "harness" | "review";
  readonly sources: readonly RequirementSource[];
  /** The optional part of the protocol that the rule belongs to; it binds only peers that use that part. */
  readonly feature?: string;
  /** The ids under which the protocol's own test kit (`acp-tck`) checks the same rule, or a part of it. */
  readonly officialIds?: readonly string[];
  /**
   * More exact rules that repeat this one for one case, or in the words of another page. A peer that breaks one of them breaks this rule,
   * too. Findings cite the more exact rule.
   */
  readonly brokenBy?: readonly string[];
  /** The rule, in the words of this package. */
  readonly rule: string;
}
