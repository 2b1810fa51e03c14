import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import { isIso8601, shown, textOf } from "../../wire/values.js";

/** The checks of agents: session info. */
export const sessionInfoAgentChecks: readonly AgentCheck[] = [
  tourStop("title", ["INFO-01"], "may give the session a title", "session_info_update"),
  schemaWatch("session-info", ["INFO-02"], "Session infos match the schema", update("session_info_update")),
  agentWatch("watch/session-info-members", ["INFO-03", "INFO-04"], {
    title: "A session_info_update has its time in ISO 8601, and no members that can't change",
    check(conversation, { countEntry, wrong }) {
      for (const { seq, tag, update } of updatesIn(conversation)) {
        if (tag !== "session_info_update") continue;
        countEntry();
        const fixed = ["sessionId", "cwd", "additionalDirectories"].filter((name) => name in update);
        if (fixed.length > 0)
          wrong("INFO-03", [seq], shown(update), `${fixed.join(", ")} can't change, and isn't part of the update.`);
        const at = textOf(update.updatedAt);
        if (at !== undefined && !isIso8601(at)) wrong("INFO-04", [seq], shown(update));
      }
    },
  }),
];
