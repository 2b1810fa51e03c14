import type { Dialogue } from "../dialogue.js";
import type { RequirementLevel, Role } from "../requirements/requirement.js";
import type { Tier } from "../requirements/tier.js";
import type { Finding, Verdict } from "../verdict.js";

/** The result of a run, as it is written to a JSON file. A reader looks at `format` and `version` first. */
export interface ConformanceReport {
  readonly format: "acp-kit/conformance-report";
  readonly version: 1;
  /** The role of the peer that was tested. */
  readonly role: Role;
  readonly subject: ReportSubject;
  readonly startedAt: string;
  readonly durationMs: number;
  /** No rule that is mandatory, or mandatory for what the peer advertises, was seen broken, except where that is expected. */
  readonly conformant: boolean;
  /** Why so little could be tried that nothing can be said: then the peer isn't conformant either. */
  readonly blocked?: string;
  readonly counts: ReportCounts;
  readonly scenarios: readonly ScenarioReport[];
  readonly requirements: readonly RequirementReport[];
  /** Entries of the expected failures that did not fail: the list has to shrink. */
  readonly staleExpectations: readonly string[];
}

/** Whom the report is about. */
export interface ReportSubject {
  /** The command as it was given. */
  readonly command: string;
  /** What the peer says that it is called. */
  readonly name?: string;
  readonly version?: string;
}

/** How many scenarios, and how many rules, have which verdict. */
export interface ReportCounts {
  readonly scenarios: Readonly<Record<"passed" | "failed" | "expected" | "advisory" | "skipped", number>>;
  readonly requirements: Readonly<Record<Verdict["status"], number>>;
}

/** What became of one scenario or watch. */
export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  readonly kind: "scenario" | "watch";
  readonly tier: Tier;
  readonly verifies: readonly string[];
  readonly verdict: Verdict;
  /** What its failure weighs: the tier of the heaviest rule among its findings. */
  readonly weight?: Tier;
  /** It failed, and the expected failures say that it would. */
  readonly expected?: boolean;
  readonly durationMs: number;
  /** What was said, where something was wrong. */
  readonly dialogues: readonly Dialogue[];
}

/** What is known about one rule after the run. */
export interface RequirementReport {
  readonly id: string;
  readonly level: RequirementLevel;
  readonly tier: Tier;
  readonly officialIds?: readonly string[];
  readonly rule: string;
  readonly status: Verdict["status"];
  /** Why it was skipped or not tested. */
  readonly reason?: string;
  readonly findings?: readonly Finding[];
  /** The scenarios and watches that look at it. */
  readonly scenarios: readonly string[];
}
