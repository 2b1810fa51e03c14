import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import { shown } from "../../wire/values.js";

/** The checks of agents: notices. */
export const noticesAgentChecks: readonly AgentCheck[] = [
  tourStop("notice", ["NOTICE-02"], "may show a notice", "notice"),
  schemaWatch("notices", ["NOTICE-02"], "Notices match the schema", update("notice")),
  agentWatch("watch/no-notices-in-replay", ["SESS-20", "NOTICE-05"], {
    title: "A replayed history has no notices",
    check(conversation, { countEntry, wrong }) {
      for (const { seq, tag, update, replay } of updatesIn(conversation)) {
        if (!replay) continue;
        countEntry();
        if (tag === "notice") wrong("SESS-20", [seq], shown(update));
      }
    },
  }),
];
