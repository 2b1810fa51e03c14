import type { Watch } from "../../scenario.js";
import { asText, member, objectsIn, shown } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";
import { sessionOf, updatesIn } from "./session-history.js";

/** Checks of every recorded dialogue: terminals in tool calls. */
export const terminalWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/terminals-in-tool-calls",
    title: "A tool call refers only to terminals that exist",
    verifies: ["TOOL-13"],
    check(conversation, { countEntry, wrong }) {
      /** The state of each terminal by its id and then by its session, because a client may use the same id in several sessions. */
      const terminals = new Map<string, Map<string, "alive" | "released">>();
      const setState = (id: string, sessionId: string, state: "alive" | "released"): void => {
        terminals.set(id, (terminals.get(id) ?? new Map()).set(sessionId, state));
      };
      const shownIn = new Set<string>();
      // A replayed tool call can have a terminal of an earlier connection.
      const replayed = new Set(updatesIn(conversation).flatMap(({ seq, replay }) => (replay ? [seq] : [])));
      for (const one of conversation.spoken) {
        const created =
          one.from === "client" &&
          one.other?.method === "terminal/create" &&
          member(one.message, "result", "terminalId");
        if (one.other && typeof created === "string") setState(created, sessionOf(one.other), "alive");
        if (one.from !== "agent") continue;
        if (one.method === "terminal/release")
          setState(asText(member(one.params, "terminalId")), sessionOf(one), "released");
        if (replayed.has(one.seq)) continue;
        for (const { type, terminalId } of objectsIn(member(one.params, "update", "content"))) {
          if (type !== "terminal") continue;
          countEntry();
          const key = `${sessionOf(one)} ${asText(member(one.params, "update", "toolCallId"))} ${asText(terminalId)}`;
          const states = terminals.get(asText(terminalId));
          // The session of a subagent can show a terminal of its parent.
          const isAlive = [...(states?.values() ?? [])].includes("alive");
          const state = states?.get(sessionOf(one)) ?? (states && (isAlive ? "alive" : "released"));
          if (state === undefined)
            wrong(
              "TOOL-13",
              [one.seq],
              `the terminal ${shown(terminalId)}`,
              "A tool call refers to a terminal that the agent created through the client; none has this id.",
            );
          else if (state === "released" && !shownIn.has(key)) {
            wrong(
              "TOOL-13",
              [one.seq],
              `the terminal ${shown(terminalId)}, after its release`,
              "The agent adds a terminal to a tool call before it releases the terminal.",
            );
          }
          shownIn.add(key);
        }
      }
    },
  }),
];
