import type { Watch } from "../../scenario.js";
import type { Conversation } from "../../wire/conversation.js";
import { asText, isAbsolutePath, isObject, member, objectsIn, shown, textOf } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";
import {
  areInDifferentTurns,
  type SessionUpdate,
  sessionOf,
  stopReasonOf,
  turnsIn,
  updatesIn,
} from "./session-history.js";

/** Checks of every recorded dialogue: the ids, names, statuses and paths of tool calls. */
export const toolCallWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/tool-call-ids",
    title: "Each toolCallId belongs to one tool call of the session",
    verifies: ["TOOL-02"],
    check(conversation, { countEntry, wrong }) {
      const first = new Map<string, SessionUpdate>();
      const ended = new Set<string>();
      for (const one of updatesIn(conversation)) {
        const id = textOf(one.update.toolCallId);
        const ending = one.update.status === "completed" || one.update.status === "failed";
        if (one.tag === "tool_call_update" && ending) ended.add(`${one.sessionId} ${id}`);
        if (one.tag !== "tool_call" || id === undefined || one.replay) continue;
        countEntry();
        const key = `${one.sessionId} ${id}`;
        const before = first.get(key);
        // An agent may announce the same call twice in a turn. The second announcement is another call only if the first call has ended
        // and the titles differ.
        const isSecond = before && ended.has(key) && before.update.title !== one.update.title;
        const isInOtherTurn = before && areInDifferentTurns(before, one);
        if (before && (isInOtherTurn || isSecond)) {
          wrong(
            "TOOL-02",
            [before.seq, one.seq],
            `the toolCallId ${shown(id)} ${isInOtherTurn ? "in another turn" : "of a call that has ended"}`,
          );
        }
        first.set(key, before ?? one);
      }
    },
  }),
  agentWatch({
    id: "watch/tool-calls-end",
    title: "A tool call whose command has ended is completed or failed when its turn ends",
    verifies: ["TOOL-10"],
    check(conversation, { countEntry, wrong }) {
      const updates = updatesIn(conversation);
      const exits = terminalExits(conversation);
      for (const { prompt, response } of turnsIn(conversation)) {
        if (stopReasonOf(response) === undefined || stopReasonOf(response) === "cancelled") continue;
        const calls = new Map<unknown, SessionUpdate>();
        for (const one of updates) {
          const inTurn = one.seq > prompt.seq && one.seq < response.seq && one.sessionId === sessionOf(prompt);
          if (inTurn && one.tag.startsWith("tool_call") && textOf(one.update.status))
            calls.set(one.update.toolCallId, one);
        }
        for (const [id, { seq, update }] of calls) {
          countEntry();
          if (update.status !== "in_progress") continue;
          // The kit knows that a call no longer runs only if the command in its terminal has ended.
          const terminals = updates.filter((one) => one.update.toolCallId === id).flatMap(terminalsOf);
          if (!terminals.some((terminal) => (exits.get(terminal) ?? Number.POSITIVE_INFINITY) < response.seq)) continue;
          wrong("TOOL-10", [seq, response.seq], `the call ${shown(id)} in_progress at the end of the turn`);
        }
      }
    },
  }),
  agentWatch({
    id: "watch/tool-call-names",
    title: "The name of a tool doesn't change",
    verifies: ["TOOL-17"],
    check(conversation, { countEntry, wrong }) {
      const names = new Map<string, SessionUpdate>();
      for (const one of updatesIn(conversation)) {
        const name = textOf(one.update.name);
        if (!one.tag.startsWith("tool_call") || name === undefined) continue;
        countEntry();
        const key = `${one.sessionId} ${asText(one.update.toolCallId)}`;
        const before = names.get(key);
        if (before && before.update.name !== name) {
          wrong("TOOL-17", [before.seq, one.seq], `the name ${shown(name)} instead of ${shown(before.update.name)}`);
        }
        names.set(key, one);
      }
    },
  }),
  agentWatch({
    id: "watch/tool-call-paths",
    title: "Paths in tool calls are absolute, lines count from 1",
    verifies: ["TOOL-12", "TOOL-15"],
    check(conversation, { countEntry, wrong }) {
      for (const { seq, update, tag } of updatesIn(conversation)) {
        if (!tag.startsWith("tool_call")) continue;
        for (const item of objectsIn(update.content).filter(({ type }) => type === "diff")) {
          countEntry();
          if (!isAbsolutePath(item.path)) wrong("TOOL-12", [seq], `a diff of ${shown(item.path)}`);
        }
        for (const place of objectsIn(update.locations)) {
          countEntry();
          if (!isAbsolutePath(place.path))
            wrong(
              "TOOL-15",
              [seq],
              `the location ${shown(place)}`,
              "The path of a location is absolute: the client doesn't know the base of a relative path.",
            );
          // The schema allows 0, and the pages have no MUST about lines.
          if (place.line === 0)
            wrong("TOOL-15", [seq], `the location ${shown(place)}`, "Lines count from 1.", {
              advice: true,
              remedy: "Add 1 to lines that you count from 0, and leave line out if you know none.",
            });
        }
      }
    },
  }),
];

/** Returns, for each terminal, the entry in which the client reported the end of its command. */
function terminalExits({ spoken }: Conversation): ReadonlyMap<unknown, number> {
  const exits = new Map<unknown, number>();
  for (const { from, other, message, seq } of spoken) {
    const hasEnded =
      (other?.method === "terminal/wait_for_exit" && isObject(message.result)) ||
      (other?.method === "terminal/output" && isObject(member(message.result, "exitStatus")));
    if (from === "client" && hasEnded) exits.set(member(other?.params, "terminalId"), seq);
  }
  return exits;
}

function terminalsOf({ update }: SessionUpdate): readonly unknown[] {
  return objectsIn(update.content).flatMap(({ type, terminalId }) => (type === "terminal" ? [terminalId] : []));
}
