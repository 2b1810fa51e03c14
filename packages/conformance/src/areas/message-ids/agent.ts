import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { areInDifferentTurns, type SessionUpdate, updatesIn } from "../../agent/session-history.js";
import { shown, textOf } from "../../wire/values.js";

/** The checks of agents: message ids. */
export const messageIdsAgentChecks: readonly AgentCheck[] = [
  agentWatch("watch/message-ids", ["MSG-04"], {
    title: "Each messageId belongs to one message",
    check(conversation, { countEntry, wrong }) {
      const first = new Map<string, SessionUpdate>();
      for (const one of updatesIn(conversation)) {
        const id = textOf(one.update.messageId);
        if (id === undefined || !one.tag.endsWith("_chunk") || one.replay) continue;
        countEntry();
        const key = `${one.sessionId} ${id}`;
        const before = first.get(key) ?? one;
        first.set(key, before);
        const isUser = (tag: string): boolean => tag === "user_message_chunk";
        if (!areInDifferentTurns(before, one) && isUser(before.tag) === isUser(one.tag)) continue;
        wrong("MSG-04", [before.seq, one.seq], `the messageId ${shown(id)} again`);
      }
    },
  }),
];
