import type { Specification } from "./specification.js";

/**
 * The consequence of breaking a rule.
 *
 * - `mandatory`: the peer is not conformant;
 * - `capability`: the peer is not conformant, if it uses that optional part of the protocol;
 * - `advisory`: reported, without effect on the verdict;
 * - `informational`: reported as advice, without effect on the verdict.
 */
export type Tier = "mandatory" | "capability" | "advisory" | "informational";

/** The level of a rule, as in RFC 2119. A `FACT` is stated by the schema or documents without these words. */
export type RequirementLevel = "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY" | "FACT";

/** A side of the protocol. */
export type Role = "agent" | "client";

/**
 * The source of a rule. `derived`: this package inferred the rule, or the rule describes a gap of the specification; no
 * peer fails because of it. `transport rfd`: the RFD of the remote transports, which have no other specification.
 * `preview`: version 2, which is in Preview and may still change.
 */
export type RequirementSource =
  | "docs"
  | "schema"
  | "rfd"
  | "transport rfd"
  | "preview"
  | "later page"
  | "json-rpc"
  | "derived";

/** One rule of the protocol, as data. */
export interface Requirement {
  /** The id, `AREA-nn`. It never changes. */
  readonly id: string;
  readonly level: RequirementLevel;
  readonly binds: Role | "both";
  /** How a rule is checked: from messages (`wire`), with processes, files or a network (`harness`), by a person. */
  readonly observability: "wire" | "harness" | "review";
  readonly sources: readonly RequirementSource[];
  /** The optional part of the protocol that the rule belongs to. The rule applies only to peers that use that part. */
  readonly feature?: string;
  /** The sentence of the specification that states the rule. Every MUST has one, or a place that states it. */
  readonly spec?: Specification;
  /** How to fix a peer that breaks the rule: an instruction for its author. */
  readonly remedy?: string;
  /** Why no scenario checks the rule for one of the roles, although it is in principle observable. */
  readonly untested?: Readonly<Partial<Record<Role, string>>>;
  /**
   * The requirements of the protocol's own test kit (`agentclientprotocol/acp-tck`, agents on version 1, as of
   * September 2026) for the same rule, or a part of it: their tiers, by id.
   */
  readonly official?: Readonly<Record<string, Tier>>;
  /** The tier, if it is not the one that the level, the sources and the official kit imply. */
  readonly tier?: { readonly is: Tier; readonly because: string };
  /**
   * The ids of more exact rules: each states this rule for one case only, or in the words of another page. A peer that
   * breaks one of them also breaks this rule. Findings cite the more exact rule.
   */
  readonly brokenBy?: readonly string[];
  /** The rule, in the words of this package. */
  readonly rule: string;
}
