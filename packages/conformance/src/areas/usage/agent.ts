import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { isUpdate, tourStop } from "../../agent/tour-stop.js";
import { asText, member } from "../../wire/values.js";

/** The checks of agents: usage. */
export const usageAgentChecks: readonly AgentCheck[] = [
  tourStop({
    purpose: "usage",
    title: "may report how much of its context window it uses",
    verifies: ["USAGE-01"],
    shows: isUpdate("usage_update"),
  }),
  schemaWatch("usage", "Usage is what the schema says", ["USAGE-02", "USAGE-04"], update("usage_update")),
  agentWatch({
    id: "watch/cost-grows",
    title: "The cost of a session doesn't fall",
    verifies: ["USAGE-04"],
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
