import type { Dialogue } from "./dialogue.js";
import type { Evidence, ReceivedResponse, ResponseMatcher } from "./finding.js";
import type { Role, Tier } from "./requirements/requirement.js";
import type { Finding } from "./verdict.js";

/** The reporting methods of every scenario; each role adds its own methods. */
export interface ScenarioContext {
  /** Adds a finding and continues. */
  note(rule: string, evidence: Evidence): void;
  /** Adds a finding and ends the scenario. */
  fail(rule: string, evidence: Evidence): never;
  /** Adds a finding if the response to the message `sent` does not match, and continues. */
  expect(
    rule: string,
    response: ReceivedResponse,
    matches: ResponseMatcher,
    sent: string | Omit<Evidence, "received">,
  ): void;
  /** Ends the scenario because it does not apply: the peer has no such part of the protocol, or never used it. */
  skip(reason: string): never;
  /** Ends the scenario, which this run cannot decide: a control failed, a login is missing, a limit was too short. */
  inconclusive(reason: string): never;
}

/** A scenario or a watch: what it checks, and what it needs. */
export interface Check {
  /** The id, unique among the checks of its role: an area and a name, such as `cancel/running-turn`. */
  readonly id: string;
  /** The behaviour of a correct peer, as a sentence. */
  readonly title: string;
  /** The role of the peer under test. */
  readonly role: Role;
  /** The tier of the heaviest rule that it verifies. A failure has the tier of the rule that its finding cites. */
  readonly tier: Tier;
  /** Ids of the requirements that it checks. A finding cites one of them. */
  readonly verifies: readonly string[];
  /** What the check needs of peer and kit, for display: `agentCapabilities.loadSession`, `prompt: permission`. */
  readonly needs?: readonly string[];
  /** The id of the scenario that this one depends on. If both fail, the report counts one fault. */
  readonly basis?: string;
}

/** A conversation with fresh processes of the peer. A correct peer passes it. */
export interface Scenario<Context extends ScenarioContext> extends Check {
  readonly kind: "scenario";
  /**
   * Exchanges messages with the peer, and reports its verdict through the methods of the context. Resolves without a
   * report if the peer kept every rule. An error that the context did not throw is a defect of the kit: the scenario is
   * inconclusive, with that error as the reason.
   */
  run(context: Context): Promise<void>;
}

/** A check over the dialogues of all scenarios. */
export interface Watch extends Check {
  readonly kind: "watch";
  /** Checks one complete dialogue. Returns the findings, and the number of entries that it checked. */
  watch(dialogue: Dialogue): Observation;
  /**
   * Set for a feature that some peers never use: the reason with which the watch is skipped, instead of passed, if the
   * peer used the feature in no dialogue (see {@link Observation.uses}) and there is no finding.
   */
  readonly unlessUsed?: string;
}

/** The result of a {@link Watch} for one dialogue. */
export interface Observation {
  /** The number of entries that the watch checked. A watch that checked none is skipped, not passed. */
  readonly checkedEntries: number;
  readonly findings: readonly Finding[];
  /** Whether the peer uses the feature that the watch is about. */
  readonly uses?: boolean;
}
