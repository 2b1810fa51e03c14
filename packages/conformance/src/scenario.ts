import type { Dialogue } from "./dialogue.js";
import type { Role } from "./requirements/requirement.js";
import type { Tier } from "./requirements/tier.js";
import type { Finding } from "./verdict.js";

/** What every scenario has at hand; each role adds its own. */
export interface ScenarioContext {
  /** Notes a finding and goes on, for what can be looked at further. */
  note(finding: Finding): void;
  /** Notes a finding and ends the scenario. */
  fail(finding: Finding): never;
  /** Ends the scenario without a verdict, because the peer never came to the point. */
  skip(reason: string): never;
}

interface Check {
  /** `area/what-is-so`, unique in its role. */
  readonly id: string;
  /** What a right peer does, as a sentence. */
  readonly title: string;
  /** The role of the peer under test. */
  readonly role: Role;
  /** The weight of the scenario: that of the heaviest rule that it verifies. What a failure weighs is decided by the rule that its finding cites. */
  readonly tier: Tier;
  /** Ids of the requirements that it looks at. A finding cites one of them. */
  readonly verifies: readonly string[];
  /** What the peer, or whoever runs the test, has to provide, in words for people (`agentCapabilities.loadSession`, `prompt: permission`). */
  readonly needs?: readonly string[];
}

/** A conversation with a fresh process of the peer, that a right one passes. */
export interface Scenario<Context extends ScenarioContext> extends Check {
  readonly kind: "scenario";
  /**
   * Talks with the peer. Returns when all was right, and otherwise notes findings, fails or skips through its context. What else it
   * throws is a defect of ours: the scenario is skipped, and the reason says so.
   */
  run(context: Context): Promise<void>;
}

/** Something to be seen in the dialogues of all scenarios, whatever they are about. */
export interface Watch extends Check {
  readonly kind: "watch";
  /** Looks at one whole dialogue: what is wrong there, and whether there was anything to see at all. */
  watch(dialogue: Dialogue): Observation;
}

/** What a {@link Watch} saw in one dialogue. */
export interface Observation {
  /** How often there was something to look at. A watch that never had is skipped, not passed. */
  readonly seen: number;
  readonly findings: readonly Finding[];
}
