import type { Dialogue } from "../dialogue.js";
import { type Evidence, findingOf } from "../finding.js";
import { heaviestTier } from "../heaviest-tier.js";
import type { Observation, Scenario, Watch } from "../scenario.js";
import type { Finding } from "../verdict.js";
import { type Conversation, readConversation } from "../wire/conversation.js";
import { member } from "../wire/values.js";
import type { AgentContext } from "./agent-context.js";
import type { PromptPurpose } from "./prompt-purposes.js";

/** A scenario that tests agents. */
export type AgentScenario = Scenario<AgentContext>;

/** A check of agents. */
export type AgentCheck = AgentScenario | Watch;

/** Creates a scenario; its tier follows from the rules that it verifies. */
export function agentScenario(scenario: Omit<AgentScenario, "kind" | "role" | "tier">): AgentScenario {
  const purposes = (scenario.needs ?? []).flatMap((need) => /^prompt: (\w+)$/.exec(need)?.[1] ?? []) as PromptPurpose[];
  return {
    ...scenario,
    kind: "scenario",
    role: "agent",
    tier: heaviestTier(scenario.verifies),
    async run(context) {
      for (const purpose of purposes) context.text(purpose); // skips the scenario before a process starts
      await scenario.run(context);
    },
  };
}

/** The reporting methods of a watch. */
export interface WatchReporting {
  /** Counts an entry that the watch checked. */
  countEntry(): void;
  /** Adds a finding about these entries. The explanation is the text of the rule if none is given. */
  wrong(
    rule: string,
    seqs: readonly number[],
    received: string,
    explanation?: string,
    more?: Pick<Partial<Evidence>, "sent" | "advice" | "remedy">,
  ): void;
}

/** Creates a watch over the messages of agents. */
export function agentWatch({
  check,
  ...watch
}: Pick<Watch, "id" | "title" | "verifies" | "needs"> & {
  check(conversation: Conversation, reporting: WatchReporting): void;
}): Watch {
  return {
    ...watch,
    kind: "watch",
    role: "agent",
    tier: heaviestTier(watch.verifies),
    watch(dialogue: Dialogue): Observation {
      const findings: Finding[] = [];
      let checkedEntries = 0;
      const conversation = readConversation(dialogue);
      if (agreedOnAnotherVersion(conversation)) return { checkedEntries: 0, findings };
      check(conversation, {
        countEntry: () => void checkedEntries++,
        wrong(
          rule,
          seqs,
          received,
          explanation,
          { sent = "no message for this check alone: it reads all messages of the agent", ...more } = {},
        ) {
          const where = { dialogue: dialogue.name, seqs };
          findings.push(findingOf(rule, { ...more, sent, received, explanation, where }));
        },
      });
      return { checkedEntries: checkedEntries + findings.length, findings };
    },
  };
}

/** Returns whether the agent agreed on another version, for which the rules of version 1 do not hold. */
function agreedOnAnotherVersion({ spoken }: Conversation): boolean {
  return spoken.some(({ other, message }) => {
    const version = other?.method === "initialize" ? member(message, "result", "protocolVersion") : undefined;
    return typeof version === "number" && version !== 1;
  });
}
