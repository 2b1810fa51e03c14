import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { schemaWatch, update } from "../../agent/schema-watch.js";
import {
  areInDifferentTurns,
  type SessionUpdate,
  sessionOf,
  stopReasonOf,
  turnsIn,
  updatesIn,
} from "../../agent/session-history.js";
import { tourStop } from "../../agent/tour-stop.js";
import type { Conversation } from "../../wire/conversation.js";
import { asText, isAbsolutePath, isObject, member, objectsIn, shown, textOf } from "../../wire/values.js";

/** The checks of agents: tool calls. */
export const toolCallsAgentChecks: readonly AgentCheck[] = [
  tourStop("tools", ["TOOL-01"], "reports the tools that it uses", "tool_call"),
  schemaWatch(
    "tool-calls",
    ["TOOL-02", "TOOL-03", "TOOL-04", "TOOL-05", "TOOL-11", "TOOL-12", "TOOL-15"],
    "Tool calls match the schema",
    update("tool_call", "tool_call_update"),
  ),
  agentWatch("watch/tool-call-ids", ["TOOL-02"], {
    title: "Each toolCallId belongs to one tool call of the session",
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
        // An agent may announce the same call twice in a turn. The second announcement is another call only if the
        // first call has ended and the titles differ.
        const isSecond = before && ended.has(key) && before.update.title !== one.update.title;
        const isInOtherTurn = before && areInDifferentTurns(before, one);
        if (before && (isInOtherTurn || isSecond)) {
          const which = isInOtherTurn ? "in another turn" : "of a call that has ended";
          wrong("TOOL-02", [before.seq, one.seq], `the toolCallId ${shown(id)} ${which}`);
        }
        first.set(key, before ?? one);
      }
    },
  }),
  agentWatch("watch/tool-calls-end", ["TOOL-10"], {
    title: "A tool call whose command has ended is completed or failed when its turn ends",
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
  agentWatch("watch/tool-call-names", ["TOOL-17"], {
    title: "The name of a tool doesn't change",
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
  agentWatch("watch/tool-call-paths", ["TOOL-12", "TOOL-15"], {
    title: "Paths in tool calls are absolute, lines count from 1",
    check(conversation, { countEntry, wrong }) {
      for (const { seq, update, tag } of updatesIn(conversation)) {
        if (!tag.startsWith("tool_call")) continue;
        for (const item of objectsIn(update.content).filter(({ type }) => type === "diff")) {
          countEntry();
          if (!isAbsolutePath(item.path)) wrong("TOOL-12", [seq], `a diff of ${shown(item.path)}`);
        }
        for (const place of objectsIn(update.locations)) {
          countEntry();
          const received = `the location ${shown(place)}`;
          const text = "The path of a location is absolute: the client doesn't know the base of a relative path.";
          if (!isAbsolutePath(place.path)) wrong("TOOL-15", [seq], received, text);
          // The schema allows 0, and the pages have no MUST about lines.
          if (place.line === 0)
            wrong("TOOL-15", [seq], received, "Lines count from 1.", {
              advice: true,
              remedy: "Add 1 to lines that you count from 0, and leave line out if you know none.",
            });
        }
      }
    },
  }),
  agentWatch("watch/terminals-in-tool-calls", ["TOOL-13"], {
    title: "A tool call refers only to terminals that exist",
    check(conversation, { countEntry, wrong }) {
      /** The state of each terminal by its id and session: a client may use an id in several sessions. */
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
          const received = `the terminal ${shown(terminalId)}`;
          if (state === undefined) {
            const text =
              "A tool call refers to a terminal that the agent created through the client; none has this id.";
            wrong("TOOL-13", [one.seq], received, text);
          } else if (state === "released" && !shownIn.has(key)) {
            const text = "The agent adds a terminal to a tool call before it releases the terminal.";
            wrong("TOOL-13", [one.seq], `${received}, after its release`, text);
          }
          shownIn.add(key);
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
