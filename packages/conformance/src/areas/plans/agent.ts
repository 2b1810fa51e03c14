import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import { asText, objectsIn } from "../../wire/values.js";

/** The checks of agents: plans. */
export const plansAgentChecks: readonly AgentCheck[] = [
  tourStop("plan", ["PLAN-01"], "sends its plan", "plan"),
  schemaWatch("plans", ["PLAN-02"], "Plans match the schema", update("plan")),
  agentWatch("watch/whole-plans", ["PLAN-04"], {
    title: "Every plan update lists all entries",
    check(conversation, { countEntry, wrong }) {
      const plans = new Map<string, { seq: number; entries: readonly string[] }[]>();
      for (const { seq, sessionId, turn, overlapped, tag, update, replay } of updatesIn(conversation)) {
        if (tag !== "plan" || replay || overlapped) continue; // each of two overlapping turns may have its own plan
        countEntry();
        const entries = objectsIn(update.entries).map(({ content }) => asText(content));
        const all = plans.get(`${sessionId} ${turn}`) ?? [];
        const last = all.at(-1);
        const gone = all.find(
          (before, index) =>
            index < all.length - 1 &&
            last?.entries.every((each) => before.entries.includes(each)) &&
            before.entries.some((each) => !last.entries.includes(each) && entries.includes(each)),
        );
        const rest =
          last && entries.every((entry) => last.entries.includes(entry)) && entries.length < last.entries.length;
        if (rest && entries.length > 0) {
          const text =
            "Each plan update has all entries, also completed ones. A plan may drop entries, so this is advice.";
          const received = "a plan with only some entries of the previous plan";
          wrong("PLAN-04", [last.seq, seq], received, text, { advice: true });
        }
        // A plan may drop an entry permanently, and may replace all entries by others. If a plan has only some entries
        // of an earlier plan, and a dropped entry appears again in a later plan, the plan between them left it out by
        // mistake.
        if (gone && last) {
          const received = "a plan without an entry that the plans before and after it have";
          wrong("PLAN-04", [gone.seq, last.seq, seq], received);
        }
        all.push({ seq, entries });
        plans.set(`${sessionId} ${turn}`, all);
      }
    },
  }),
];
