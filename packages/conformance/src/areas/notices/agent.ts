import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { isUpdate, tourStop } from "../../agent/tour-stop.js";
import { shown } from "../../wire/values.js";

/** The checks of agents: notices. */
export const noticesAgentChecks: readonly AgentCheck[] = [
  tourStop({ purpose: "notice", title: "may show a notice", verifies: ["NOTICE-02"], shows: isUpdate("notice") }),
  schemaWatch("notices", "Notices match the schema", ["NOTICE-02"], update("notice")),
  agentWatch({
    id: "watch/no-notices-in-replay",
    title: "A replayed history has no notices",
    verifies: ["SESS-20", "NOTICE-05"],
    check(conversation, { countEntry, wrong }) {
      for (const { seq, tag, update, replay } of updatesIn(conversation)) {
        if (!replay) continue;
        countEntry();
        if (tag === "notice") wrong("SESS-20", [seq], shown(update));
      }
    },
  }),
];
