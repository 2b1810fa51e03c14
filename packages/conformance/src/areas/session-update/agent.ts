import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch } from "../../agent/schema-watch.js";
import { updatesIn } from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import { createsSession } from "../../wire/conversation.js";
import { asText, member, shown } from "../../wire/values.js";

/** The checks of agents: session update. */
export const sessionUpdateAgentChecks: readonly AgentCheck[] = [
  tourStop("thought", ["UPD-02"], "may send its thoughts", "agent_thought_chunk"),
  schemaWatch(
    "updates",
    ["UPD-01", "UPD-02", "RPC-18"],
    "Updates are notifications with a sessionId and a known kind of update",
    ({ method }) => method === "session/update",
  ),
  agentWatch("watch/updates-of-known-sessions", ["PROMPT-06"], {
    title: "The agent sends updates only for sessions that are open on the connection",
    check(conversation, { countEntry, wrong }) {
      const ids = new Set<string>();
      /** The `seq` of the first unanswered request for a new session: later updates may be for it. */
      let unanswered = Number.POSITIVE_INFINITY;
      for (const one of conversation.spoken) {
        const { seq, from, other, kind, message, method, params } = one;
        const opened = kind === "response" && member(message, "result", "sessionId");
        if (createsSession.has(other?.method ?? "") && typeof opened === "string") ids.add(opened);
        if (from === "client" && createsSession.has(method ?? "") && one.other === undefined)
          unanswered = Math.min(unanswered, seq);
        if (method === "session/load" || method === "session/resume") ids.add(asText(member(params, "sessionId")));
      }
      for (const { seq, sessionId, update } of updatesIn(conversation)) {
        countEntry();
        if (ids.has(sessionId) || seq > unanswered) continue;
        const text = "The agent sends updates only for sessions that are open on the connection; this session is not.";
        wrong("PROMPT-06", [seq], shown({ sessionId, update }), text);
      }
    },
  }),
];
