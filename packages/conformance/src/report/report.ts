import type { Dialogue } from "../dialogue.js";
import type { RequirementLevel, Role, Tier } from "../requirements/requirement.js";
import type { Finding, Verdict } from "../verdict.js";

/**
 * The result for a peer as a whole. A scenario in which the peer breaks a rule is repeated, and only a rule that is
 * broken both times counts.
 *
 * - `conformant`: the peer broke no mandatory or capability rule, and enough scenarios ran;
 * - `not conformant`: the peer broke a mandatory or capability rule;
 * - `inconclusive`: the peer broke no such rule, but the scenarios do not show that it is conformant; `reasons` says
 *   why.
 */
export type ReportVerdict = "conformant" | "not conformant" | "inconclusive";

/** The result of a run, as plain JSON. Check `format` and `version` before reading the rest. */
export interface ConformanceReport {
  readonly format: "acp-kit/conformance-report";
  readonly version: 2;
  /** The role of the peer under test. */
  readonly role: Role;
  readonly subject: ReportSubject;
  /** The versions of the kit, the rules and the schema that the run used. */
  readonly made: ReportMaking;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: ReportVerdict;
  /** Why the verdict is `inconclusive`: each reason is a sentence. Empty for the other verdicts. */
  readonly reasons: readonly string[];
  /** Whether the verdict is `conformant`. */
  readonly conformant: boolean;
  /** `true` if the run was stopped before its end. The report is then partial. */
  readonly stopped?: boolean;
  readonly counts: ReportCounts;
  /** The faults behind the failures, heaviest first: failures with the same cause are one fault. */
  readonly faults: readonly ReportFault[];
  readonly scenarios: readonly ScenarioReport[];
  readonly requirements: readonly RequirementReport[];
  /** Entries of the expected failures that passed, and should be removed from that list. */
  readonly staleExpectations: readonly string[];
}

/** The peer that the report is about. */
export interface ReportSubject {
  /** The command that starts the peer, as one line. */
  readonly command: string;
  /** The name that the peer states in `initialize`. */
  readonly name?: string;
  readonly version?: string;
  /** The methods that a client called, such as `session/load`. Rules for other methods were not tested. */
  readonly calls?: readonly string[];
}

/** The versions of the kit, the rules and the schema of a report, and the limits of its run. */
export interface ReportMaking {
  /** The version of `@acp-kit/conformance`. */
  readonly kit: string;
  /** The versions of the protocol whose rules were tested: 1, 2 or both. */
  readonly versions: readonly number[];
  /** The revision of the rules, scenarios and tiers. */
  readonly rules: string;
  /** The schema that the messages were validated with. */
  readonly schema: string;
  readonly schemaSha256: string;
  /** The limits of the run, in milliseconds. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** One fault of the peer, with the rules, scenarios and watches that show it. */
export interface ReportFault {
  /** The id, unique in the report: `fault-1`, `fault-2`, … */
  readonly id: string;
  /** The heaviest tier among its rules. */
  readonly weight: Tier;
  /** Whether every scenario that shows the fault is an expected failure. */
  readonly expected: boolean;
  /** The finding that represents the fault: one of the heaviest tier, of the scenario that is closest to the cause. */
  readonly finding: Finding;
  /** The id of the scenario or watch that has this finding and its dialogue. */
  readonly foundBy: string;
  /** The rules that the fault breaks. */
  readonly rules: readonly string[];
  /** The scenarios and watches that show the fault. */
  readonly scenarios: readonly string[];
}

/** The numbers of scenarios and rules by verdict, and the number of faults that count. */
export interface ReportCounts {
  /** `failed` counts failures of mandatory and capability rules; `advisory` counts the other failures. */
  readonly scenarios: Readonly<
    Record<"passed" | "failed" | "expected" | "advisory" | "flaky" | "skipped" | "inconclusive", number>
  >;
  /** `failed` counts the rules with a failure that was not expected, `expected` the other failed rules. */
  readonly requirements: Readonly<Record<Verdict["status"] | "expected", number>>;
  /** The number of faults that break a mandatory or capability rule, without expected failures. */
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
  /** The tier of the heaviest finding, if the scenario failed or is flaky. */
  readonly weight?: Tier;
  /** `true` if the scenario failed or is flaky, and this is an expected failure. */
  readonly expected?: boolean;
  /** The id of the fault that the scenario shows. */
  readonly fault?: string;
  readonly durationMs: number;
  /** All dialogues of a failed or flaky scenario; for a watch, those with findings. Empty without findings. */
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
  /** `true` if the rule failed, and every scenario that shows it is an expected failure. */
  readonly expected?: boolean;
  /** Why the rule has no verdict. For a broken rule that no finding cites: the rules that are cited instead. */
  readonly reason?: string;
  /** The findings about the rule. One may cite a more exact rule that repeats this one (`brokenBy`). */
  readonly findings?: readonly Finding[];
  /** The scenarios and watches that check the rule. */
  readonly scenarios: readonly string[];
}
