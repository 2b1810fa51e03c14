import type { Dialogue } from "../dialogue.js";
import type { RequirementLevel, Role } from "../requirements/requirement.js";
import type { Tier } from "../requirements/tier.js";
import type { Finding, Verdict } from "../verdict.js";

/**
 * The result of a run for a peer as a whole.
 *
 * - `conformant`: no mandatory or capability rule was broken, and enough scenarios ran;
 * - `not conformant`: a mandatory or capability rule was broken, in two runs;
 * - `inconclusive`: no such rule was broken, but too few scenarios could be decided.
 */
export type ReportVerdict = "conformant" | "not conformant" | "inconclusive";

/** The result of a run, as plain JSON. Check `format` and `version` before reading the rest. */
export interface ConformanceReport {
  readonly format: "acp-kit/conformance-report";
  readonly version: 2;
  /** The role of the peer under test. */
  readonly role: Role;
  readonly subject: ReportSubject;
  /** The versions of kit, rules and schema that made the report. */
  readonly made: ReportMaking;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: ReportVerdict;
  /** Why the verdict is `inconclusive`, each reason a sentence; empty otherwise. */
  readonly reasons: readonly string[];
  /** Whether the verdict is `conformant`. */
  readonly conformant: boolean;
  /** Whether the run was stopped before its end: then the report is partial. */
  readonly stopped?: boolean;
  readonly counts: ReportCounts;
  /** The faults behind the failures, heaviest first: failures with the same cause are one fault. */
  readonly faults: readonly ReportFault[];
  readonly scenarios: readonly ScenarioReport[];
  readonly requirements: readonly RequirementReport[];
  /** Entries of the expected failures that passed: remove them from the list. */
  readonly staleExpectations: readonly string[];
}

/** The peer that the report is about. */
export interface ReportSubject {
  /** The command as it was given. */
  readonly command: string;
  /** The name that the peer gives itself. */
  readonly name?: string;
  readonly version?: string;
  /** The methods of the protocol that a client called in the run, such as `session/load`. The rules for other methods were not tested. */
  readonly calls?: readonly string[];
}

/** The versions of kit, rules and schema that made a report. */
export interface ReportMaking {
  /** The version of `@acp-kit/conformance`. */
  readonly kit: string;
  /** The revision of the rules, scenarios and tiers. */
  readonly rules: string;
  /** The schema that messages were checked against. */
  readonly schema: string;
  readonly schemaSha256: string;
  /** The limits of the run, in milliseconds. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** One fault of the peer, with the rules, scenarios and watches that show it. */
export interface ReportFault {
  /** `fault-1`, …: unique in the report. */
  readonly id: string;
  /** The heaviest tier among its rules. */
  readonly weight: Tier;
  /** Whether the expected failures name all of it. */
  readonly expected: boolean;
  /** The finding that represents it: the first of the scenario that is closest to the cause. */
  readonly finding: Finding;
  /** The id of the scenario or watch of that finding, whose dialogues show it. */
  readonly foundBy: string;
  /** The rules that it breaks. */
  readonly rules: readonly string[];
  /** The scenarios and watches that show it. */
  readonly scenarios: readonly string[];
}

/** The numbers of scenarios and rules by verdict, and the number of faults that count. */
export interface ReportCounts {
  /** `failed`: mandatory and capability rules; `advisory`: the other failures. */
  readonly scenarios: Readonly<
    Record<"passed" | "failed" | "expected" | "advisory" | "flaky" | "skipped" | "inconclusive", number>
  >;
  readonly requirements: Readonly<Record<Verdict["status"], number>>;
  /** Faults of mandatory or capability rules that are not expected. */
  readonly faults: number;
}

/** The result of one scenario or watch. */
export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  readonly kind: "scenario" | "watch";
  readonly tier: Tier;
  readonly verifies: readonly string[];
  readonly verdict: Verdict;
  /** The tier of its failure: that of the heaviest rule among its findings. */
  readonly weight?: Tier;
  /** Whether it failed and the expected failures name it. */
  readonly expected?: boolean;
  /** The id of the fault that it shows. */
  readonly fault?: string;
  readonly durationMs: number;
  /** The dialogues with findings. */
  readonly dialogues: readonly Dialogue[];
}

/** The result of one rule. */
export interface RequirementReport {
  readonly id: string;
  readonly level: RequirementLevel;
  readonly tier: Tier;
  readonly officialIds?: readonly string[];
  readonly rule: string;
  readonly status: Verdict["status"];
  /** Why the rule was skipped, inconclusive, flaky or not tested. For a broken rule: the cited rule that repeats it. */
  readonly reason?: string;
  /** The findings about the rule. A finding may cite a more exact rule that repeats this one (`brokenBy` of the requirement). */
  readonly findings?: readonly Finding[];
  /** The scenarios and watches that check it. */
  readonly scenarios: readonly string[];
}
