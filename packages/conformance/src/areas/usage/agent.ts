import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import { asText, member } from "../../wire/values.js";

/** The checks of agents: usage. */
export const usageAgentChecks: readonly AgentCheck[] = [
  tourStop("usage", ["USAGE-01"], "may report how much of its context window it uses", "usage_update"),
  schemaWatch("usage", ["USAGE-02", "USAGE-04"], "Usage is what the schema says", update("usage_update")),
  agentWatch("watch/cost-grows", ["USAGE-04"], {
    title: "The cost of a session doesn't fall",
    check(conversation, { countEntry, wrong }) {
      const costs = new Map<string, { seq: number; amount: number }>();
      for (const { seq, sessionId, tag, update, replay } of updatesIn(conversation)) {
        const amount = member(update.cost, "amount");
        if (tag !== "usage_update" || typeof amount !== "number" || replay) continue;
        countEntry();
        const key = `${sessionId} ${asText(member(update.cost, "currency"))}`;
        const before = costs.get(key);
        if (before && amount < before.amount) {
          wrong("USAGE-04", [before.seq, seq], `${amount} after ${before.amount}`);
        }
        costs.set(key, { seq, amount });
      }
    },
  }),
];
