import type { Dialogue } from "../dialogue.js";
import { type Evidence, findingOf } from "../finding.js";
import { heaviestTier } from "../heaviest-tier.js";
import type { Observation, Scenario, Watch } from "../scenario.js";
import type { Finding } from "../verdict.js";
import { type Conversation, type ConversationMessage, readConversation } from "../wire/conversation.js";
import { member } from "../wire/values.js";
import type { AgentContext, ReadyAgent, TestSession } from "./agent-context.js";
import { needsCapability } from "./capability-needs.js";
import type { PromptPurpose } from "./prompt-purposes.js";

/** A scenario that tests agents. */
export type AgentScenario = Scenario<AgentContext>;

/** A check of agents. */
export type AgentCheck = AgentScenario | Watch;

/** The hand-written part of a scenario for agents. */
type Details = Pick<AgentScenario, "title" | "needs" | "basis" | "run">;

/** Creates a scenario; its tier follows from the rules that it verifies. */
export function agentScenario(id: string, verifies: readonly string[], { run, ...details }: Details): AgentScenario {
  const purposes = (details.needs ?? []).flatMap((need) => /^prompt: (\w+)$/.exec(need)?.[1] ?? []) as PromptPurpose[];
  return {
    id,
    ...details,
    verifies,
    kind: "scenario",
    role: "agent",
    tier: heaviestTier(verifies),
    async run(context) {
      for (const purpose of purposes) context.text(purpose); // skips the scenario before a process starts
      await run(context);
    },
  };
}

/**
 * Creates a scenario in an open session. Skips it if the agent lacks a capability that is among the scenario's needs.
 */
export function sessionScenario(
  id: string,
  verifies: readonly string[],
  {
    run,
    ...details
  }: Omit<Details, "run"> & { run(context: AgentContext, session: TestSession & ReadyAgent): Promise<void> },
): AgentScenario {
  const capabilities = (details.needs ?? []).filter((need) => need.startsWith("agentCapabilities."));
  return agentScenario(id, verifies, {
    ...details,
    async run(context) {
      const session = await context.openSession();
      for (const capability of capabilities) needsCapability(context, session, ...capability.split(".").slice(1));
      await run(context, session);
    },
  });
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
export function agentWatch(
  id: string,
  verifies: readonly string[],
  { title, check }: { readonly title: string; check(conversation: Conversation, reporting: WatchReporting): void },
): Watch {
  return {
    id,
    title,
    verifies,
    kind: "watch",
    role: "agent",
    tier: heaviestTier(verifies),
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

/** Creates a watch that checks single messages of agents: those of a kind, or all. */
export function messageWatch(
  id: string,
  verifies: readonly string[],
  {
    title,
    isAbout = () => true,
    check,
  }: {
    readonly title: string;
    isAbout?(message: ConversationMessage): boolean;
    check(message: ConversationMessage, wrong: WatchReporting["wrong"]): void;
  },
): Watch {
  return agentWatch(id, verifies, {
    title,
    check({ spoken }, { countEntry, wrong }) {
      for (const message of spoken) {
        if (message.from !== "agent" || !isAbout(message)) continue;
        countEntry();
        check(message, wrong);
      }
    },
  });
}

/** Returns whether the agent agreed on another version, for which the rules of version 1 do not hold. */
function agreedOnAnotherVersion({ spoken }: Conversation): boolean {
  return spoken.some(({ other, message }) => {
    const version = other?.method === "initialize" ? member(message, "result", "protocolVersion") : undefined;
    return typeof version === "number" && version !== 1;
  });
}
