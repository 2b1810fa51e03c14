import type { Dialogue } from "./dialogue.js";
import type { Role } from "./requirements/requirement.js";
import type { Tier } from "./requirements/tier.js";
import type { Finding } from "./verdict.js";

/** What every scenario can report; each role adds what it can do. */
export interface ScenarioContext {
  /** Adds a finding and goes on. */
  note(finding: Finding): void;
  /** Adds a finding and ends the scenario. */
  fail(finding: Finding): never;
  /** Ends the scenario because it does not apply: the peer lacks that part, or never did what it is about. */
  skip(reason: string): never;
  /** Ends the scenario because this run cannot decide it: a control failed, a login is missing, a limit was too short. */
  inconclusive(reason: string): never;
}

interface Check {
  /** `area/what-holds`, unique in its role. */
  readonly id: string;
  /** What a correct peer does, as a sentence. */
  readonly title: string;
  /** The role of the peer under test. */
  readonly role: Role;
  /** The weight of the scenario: that of the heaviest rule that it verifies. What a failure weighs is decided by the rule that its finding cites. */
  readonly tier: Tier;
  /** Ids of the requirements that it looks at. A finding cites one of them. */
  readonly verifies: readonly string[];
  /** What the peer, or the user of the kit, has to provide, in words for people (`agentCapabilities.loadSession`, `prompt: permission`). */
  readonly needs?: readonly string[];
  /** The id of the scenario that tests what this one builds on: when both fail, that one is the cause. */
  readonly basis?: string;
}

/** A conversation with a fresh process of the peer, which a correct peer passes. */
export interface Scenario<Context extends ScenarioContext> extends Check {
  readonly kind: "scenario";
  /**
   * Talks with the peer. Returns when every rule was kept; otherwise reports through its context. Any other error that it throws is a
   * defect of the kit: the scenario is inconclusive, and the reason says so.
   */
  run(context: Context): Promise<void>;
}

/** A check over the dialogues of all scenarios, whatever they are about. */
export interface Watch extends Check {
  readonly kind: "watch";
  /** Looks at one whole dialogue: which rules it breaks, and how often there was anything to look at. */
  watch(dialogue: Dialogue): Observation;
}

/** What a {@link Watch} saw in one dialogue. */
export interface Observation {
  /** How often there was something to look at. A watch that never had is skipped, not passed. */
  readonly seen: number;
  readonly findings: readonly Finding[];
}
