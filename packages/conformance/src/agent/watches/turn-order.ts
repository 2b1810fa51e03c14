import type { Watch } from "../../scenario.js";
import { createsSession } from "../../wire/conversation.js";
import { asText, member, shown } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";
import { sessionOf, stopReasonOf, streamedUpdates, turnsIn, updatesIn } from "./session-history.js";

/** Checks of every recorded dialogue: updates in the wrong session, or after the end of their turn. */
export const turnOrderWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/updates-of-known-sessions",
    title: "The agent sends updates only for sessions that are open on the connection",
    verifies: ["PROMPT-06"],
    check(conversation, { countEntry, wrong }) {
      const ids = new Set<string>();
      /** The `seq` of the first request for a new session that has no response: later updates may be for its session. */
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
        wrong(
          "PROMPT-06",
          [seq],
          shown({ sessionId, update }),
          "The agent sends updates only for sessions that are open on the connection; this session is not.",
        );
      }
    },
  }),
  agentWatch({
    id: "watch/updates-before-the-answer",
    title: "All updates of a turn come before the response to its prompt",
    verifies: ["PROMPT-12"],
    check(conversation, { countEntry, wrong }) {
      const updates = updatesIn(conversation);
      for (const { prompt, response, until } of turnsIn(conversation)) {
        countEntry();
        if (stopReasonOf(response) === "cancelled") continue; // CANCEL-08
        for (const { seq, sessionId, tag, update } of updates) {
          const late = seq > response.seq && seq < until && sessionId === sessionOf(prompt);
          if (!late || !streamedUpdates.has(tag) || tag === "tool_call_update") continue;
          wrong("PROMPT-12", [response.seq, seq], `${shown(update)} after the response`);
        }
      }
    },
  }),
  agentWatch({
    id: "watch/updates-before-cancelled",
    title: "All updates of a cancelled turn come before the response to its prompt",
    verifies: ["CANCEL-08"],
    check(conversation, { countEntry, wrong }) {
      const updates = updatesIn(conversation);
      for (const { prompt, response, until } of turnsIn(conversation)) {
        if (stopReasonOf(response) !== "cancelled") continue;
        countEntry();
        for (const { seq, sessionId, tag, update } of updates) {
          if (seq < response.seq || seq > until || sessionId !== sessionOf(prompt) || !streamedUpdates.has(tag))
            continue;
          wrong("CANCEL-08", [response.seq, seq], `${shown(update)} after the response`);
        }
      }
    },
  }),
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
