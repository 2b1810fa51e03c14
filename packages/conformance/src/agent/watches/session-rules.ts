import type { Watch } from "../../scenario.js";
import type { Conversation, Spoken } from "../../wire/conversation.js";
import { isAbsolutePath, isObject, type Json, member, objectsIn, shown, textOf } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";

interface Update {
  readonly seq: number;
  readonly sessionId: string;
  readonly update: Json;
  readonly tag: string;
  /** How many prompts of the session had been sent before. */
  readonly turn: number;
  /** The history is being replayed. */
  readonly replay: boolean;
}

const streamed = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);

const sessionOf = ({ params }: Spoken): string => String(member(params, "sessionId"));
const stopReasonOf = (one: Spoken | undefined): unknown => member(one?.message, "result", "stopReason");

/** The updates of a conversation, each with its turn. */
function updatesIn({ spoken }: Conversation): readonly Update[] {
  const turns = new Map<string, number>();
  const loading = new Map<string, Spoken>();
  return spoken.flatMap((one): Update[] => {
    const id = sessionOf(one);
    if (one.from === "client" && one.method === "session/prompt") turns.set(id, (turns.get(id) ?? 0) + 1);
    if (one.from === "client" && one.method === "session/load") loading.set(id, one);
    const update = member(one.params, "update");
    if (one.from !== "agent" || one.method !== "session/update" || !isObject(update)) return [];
    const load = loading.get(id);
    const replay = load !== undefined && (load.other === undefined || load.other.seq > one.seq);
    return [
      { seq: one.seq, sessionId: id, update, tag: String(update.sessionUpdate), turn: turns.get(id) ?? 0, replay },
    ];
  });
}

/** Rules about what comes when, in sessions and turns. */
export const sessionRuleWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/updates-of-known-sessions",
    title: "Updates are of sessions that were opened on the connection",
    verifies: ["PROMPT-06"],
    look(conversation, { see, wrong }) {
      const ids = new Set<string>();
      for (const { other, kind, message, method, params } of conversation.spoken) {
        const opened = kind === "response" && member(message, "result", "sessionId");
        if (other?.method === "session/new" && typeof opened === "string") ids.add(opened);
        if (method === "session/load" || method === "session/resume") ids.add(String(member(params, "sessionId")));
      }
      for (const { seq, sessionId, update } of updatesIn(conversation)) {
        see();
        if (ids.has(sessionId)) continue;
        wrong(
          "PROMPT-06",
          [seq],
          shown({ sessionId, update }),
          "The agent sends updates of sessions that are open on the connection; this id was not opened on it.",
        );
      }
    },
  }),
  agentWatch({
    id: "watch/updates-before-the-answer",
    title: "What belongs to a turn comes before the turn's answer",
    verifies: ["PROMPT-12"],
    look(conversation, { see, wrong }) {
      const updates = updatesIn(conversation);
      for (const { prompt, answer, until } of turnsIn(conversation)) {
        see();
        if (stopReasonOf(answer) === "cancelled") continue; // a rule of its own
        for (const { seq, sessionId, tag, update } of updates) {
          const late = seq > answer.seq && seq < until && sessionId === sessionOf(prompt);
          if (!late || !streamed.has(tag) || tag === "tool_call_update") continue;
          wrong(
            "PROMPT-12",
            [answer.seq, seq],
            `${shown(update)} after the answer`,
            "All updates of a turn come before the response to its prompt: clients take the response for the end of the turn.",
          );
        }
      }
    },
  }),
  agentWatch({
    id: "watch/updates-before-cancelled",
    title: "Nothing of a cancelled turn comes after its answer",
    verifies: ["CANCEL-08"],
    look(conversation, { see, wrong }) {
      const updates = updatesIn(conversation);
      for (const { prompt, answer, until } of turnsIn(conversation)) {
        if (stopReasonOf(answer) !== "cancelled") continue;
        see();
        for (const { seq, sessionId, tag, update } of updates) {
          if (seq < answer.seq || seq > until || sessionId !== sessionOf(prompt) || !streamed.has(tag)) continue;
          const text = "Late updates of a cancelled turn come before the response to its prompt, never after it.";
          wrong("CANCEL-08", [answer.seq, seq], `${shown(update)} after the answer cancelled`, text);
        }
      }
    },
  }),
  agentWatch({
    id: "watch/message-ids",
    title: "A message id is that of one message",
    verifies: ["MSG-04"],
    look(conversation, { see, wrong }) {
      const first = new Map<string, Update>();
      for (const one of updatesIn(conversation)) {
        const id = textOf(one.update.messageId);
        if (id === undefined || !one.tag.endsWith("_chunk") || one.replay) continue;
        see();
        const key = `${one.sessionId} ${id}`;
        const before = first.get(key) ?? one;
        first.set(key, before);
        const isUser = (tag: string): boolean => tag === "user_message_chunk";
        if (before.turn === one.turn && isUser(before.tag) === isUser(one.tag)) continue;
        wrong(
          "MSG-04",
          [before.seq, one.seq],
          `the messageId ${shown(id)} again`,
          "A messageId belongs to one message; another turn, or another speaker, is another message and needs another id.",
        );
      }
    },
  }),
  agentWatch({
    id: "watch/tool-call-ids",
    title: "A tool call's id is that of one call in the session",
    verifies: ["TOOL-02"],
    look(conversation, { see, wrong }) {
      const first = new Map<string, Update>();
      const ended = new Set<string>();
      for (const one of updatesIn(conversation)) {
        const id = textOf(one.update.toolCallId);
        const ending = one.update.status === "completed" || one.update.status === "failed";
        if (one.tag === "tool_call_update" && ending) ended.add(`${one.sessionId} ${id}`);
        if (one.tag !== "tool_call" || id === undefined || one.replay) continue;
        see();
        const key = `${one.sessionId} ${id}`;
        const before = first.get(key);
        // Announcing the same call twice in a turn is repetition; a call that has ended and another title are a second call.
        const isSecond = before && ended.has(key) && before.update.title !== one.update.title;
        if (before && (before.turn !== one.turn || isSecond)) {
          wrong(
            "TOOL-02",
            [before.seq, one.seq],
            `the toolCallId ${shown(id)} ${before.turn === one.turn ? "of a call that has ended" : "in another turn"}`,
            "A toolCallId is unique within the session, in later turns, too.",
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
    look(conversation, { see, wrong }) {
      const updates = updatesIn(conversation);
      const exits = terminalExits(conversation);
      for (const { prompt, answer } of turnsIn(conversation)) {
        if (stopReasonOf(answer) === undefined || stopReasonOf(answer) === "cancelled") continue;
        const calls = new Map<unknown, Update>();
        for (const one of updates) {
          const inTurn = one.seq > prompt.seq && one.seq < answer.seq && one.sessionId === sessionOf(prompt);
          if (inTurn && one.tag.startsWith("tool_call") && textOf(one.update.status))
            calls.set(one.update.toolCallId, one);
        }
        for (const [id, { seq, update }] of calls) {
          see();
          if (update.status !== "in_progress") continue;
          // Nothing but the end of its command shows from outside that a call is not running any more.
          const terminals = updates.filter((one) => one.update.toolCallId === id).flatMap(terminalsOf);
          if (!terminals.some((terminal) => (exits.get(terminal) ?? Number.POSITIVE_INFINITY) < answer.seq)) continue;
          wrong(
            "TOOL-10",
            [seq, answer.seq],
            `the call ${shown(id)} in_progress at the end of the turn`,
            "A tool call whose turn has ended has a final status: completed or failed.",
          );
        }
      }
    },
  }),
  agentWatch({
    id: "watch/tool-call-names",
    title: "The name of a tool doesn't change",
    verifies: ["TOOL-17"],
    look(conversation, { see, wrong }) {
      const names = new Map<string, Update>();
      for (const one of updatesIn(conversation)) {
        const name = textOf(one.update.name);
        if (!one.tag.startsWith("tool_call") || name === undefined) continue;
        see();
        const key = `${one.sessionId} ${one.update.toolCallId}`;
        const before = names.get(key);
        if (before && before.update.name !== name) {
          wrong(
            "TOOL-17",
            [before.seq, one.seq],
            `the name ${shown(name)} instead of ${shown(before.update.name)}`,
            "The name of a tool call should be sent once and stay the same.",
          );
        }
        names.set(key, one);
      }
    },
  }),
  agentWatch({
    id: "watch/tool-call-paths",
    title: "Paths in tool calls are absolute, lines count from 1",
    verifies: ["TOOL-12", "TOOL-15"],
    look(conversation, { see, wrong }) {
      for (const { seq, update, tag } of updatesIn(conversation)) {
        if (!tag.startsWith("tool_call")) continue;
        for (const item of objectsIn(update.content).filter(({ type }) => type === "diff")) {
          see();
          if (!isAbsolutePath(item.path))
            wrong(
              "TOOL-12",
              [seq],
              `a diff of ${shown(item.path)}`,
              "The path of a diff is absolute: clients open it without knowing what a relative one is relative to.",
            );
        }
        for (const place of objectsIn(update.locations)) {
          see();
          if (!isAbsolutePath(place.path))
            wrong(
              "TOOL-15",
              [seq],
              `the location ${shown(place)}`,
              "The path of a location is absolute: clients open it without knowing what a relative one is relative to.",
            );
          if (place.line === 0) wrong("TOOL-15", [seq], `the location ${shown(place)}`, "Lines count from 1.");
        }
      }
    },
  }),
  agentWatch({
    id: "watch/terminals-in-tool-calls",
    title: "A terminal in a tool call was created, and isn't released yet",
    verifies: ["TOOL-13"],
    look(conversation, { see, wrong }) {
      const alive = new Map<string, "alive" | "released">();
      const shownIn = new Set<string>();
      for (const one of conversation.spoken) {
        const created =
          one.from === "client" &&
          one.other?.method === "terminal/create" &&
          member(one.message, "result", "terminalId");
        if (typeof created === "string") alive.set(created, "alive");
        if (one.from !== "agent") continue;
        if (one.method === "terminal/release") alive.set(String(member(one.params, "terminalId")), "released");
        for (const { type, terminalId } of objectsIn(member(one.params, "update", "content"))) {
          if (type !== "terminal") continue;
          see();
          const key = `${member(one.params, "update", "toolCallId")} ${terminalId}`;
          const state = alive.get(String(terminalId));
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
              "A terminal is added to a call before it is released.",
            );
          }
          shownIn.add(key);
        }
      }
    },
  }),
  agentWatch({
    id: "watch/whole-plans",
    title: "Every plan update lists all entries",
    verifies: ["PLAN-04"],
    look(conversation, { see, wrong }) {
      const plans = new Map<string, { seq: number; entries: readonly string[] }[]>();
      for (const { seq, sessionId, turn, tag, update, replay } of updatesIn(conversation)) {
        if (tag !== "plan" || replay) continue;
        see();
        const entries = objectsIn(update.entries).map(({ content }) => String(content));
        const all = plans.get(`${sessionId} ${turn}`) ?? [];
        const last = all.at(-1);
        const gone = all.find(
          (before, index) =>
            index < all.length - 1 &&
            before.entries.some((each) => !all.at(-1)?.entries.includes(each) && entries.includes(each)),
        );
        const rest =
          last && entries.every((entry) => last.entries.includes(entry)) && entries.length < last.entries.length;
        if (rest && entries.length > 0) {
          wrong(
            "PLAN-04",
            [last.seq, seq],
            "a plan with some of the entries of the plan before, and no others",
            "Each update has all entries, also those that are completed; a plan may drop entries, so this is advice.",
            { advice: true },
          );
        }
        // An entry may be dropped. One that is dropped and comes back was only left out.
        if (gone && last) {
          wrong(
            "PLAN-04",
            [gone.seq, last.seq, seq],
            "a plan without an entry that is there before and after",
            "Each update has all entries, also those that did not change.",
          );
        }
        all.push({ seq, entries });
        plans.set(`${sessionId} ${turn}`, all);
      }
    },
  }),
  agentWatch({
    id: "watch/cost-grows",
    title: "The cost of a session doesn't fall",
    verifies: ["USAGE-04"],
    look(conversation, { see, wrong }) {
      const costs = new Map<string, { seq: number; amount: number }>();
      for (const { seq, sessionId, tag, update } of updatesIn(conversation)) {
        const amount = member(update.cost, "amount");
        if (tag !== "usage_update" || typeof amount !== "number") continue;
        see();
        const key = `${sessionId} ${member(update.cost, "currency")}`;
        const before = costs.get(key);
        if (before && amount < before.amount) {
          wrong(
            "USAGE-04",
            [before.seq, seq],
            `${amount} after ${before.amount}`,
            "The cost is that of the whole session so far, so that it never decreases.",
          );
        }
        costs.set(key, { seq, amount });
      }
    },
  }),
  agentWatch({
    id: "watch/session-info-members",
    title: "A session info says when, in ISO 8601, and doesn't repeat what can't change",
    verifies: ["INFO-03", "INFO-04"],
    look(conversation, { see, wrong }) {
      for (const { seq, tag, update } of updatesIn(conversation)) {
        if (tag !== "session_info_update") continue;
        see();
        const fixed = ["sessionId", "cwd", "additionalDirectories"].filter((name) => name in update);
        if (fixed.length > 0)
          wrong("INFO-03", [seq], shown(update), `${fixed.join(", ")} can't change, and isn't part of the update.`);
        const at = textOf(update.updatedAt);
        if (at !== undefined && !isIso(at))
          wrong("INFO-04", [seq], shown(update), "The time updatedAt is a date and a time in ISO 8601.");
      }
    },
  }),
  agentWatch({
    id: "watch/session-list-entries",
    title: "Listed sessions have absolute directories and times in ISO 8601",
    verifies: ["LIST-06", "DIR-16"],
    look({ spoken }, { see, wrong }) {
      for (const { other, message, seq } of spoken) {
        if (other?.method !== "session/list") continue;
        for (const info of objectsIn(member(message, "result", "sessions"))) {
          see();
          const at = textOf(info.updatedAt);
          if (!isAbsolutePath(info.cwd))
            wrong("LIST-06", [seq], shown(info), "The cwd of a listed session is an absolute path.");
          if (at !== undefined && !isIso(at))
            wrong("LIST-06", [seq], shown(info), "The time updatedAt is a date and a time in ISO 8601.");
          const directories = info.additionalDirectories;
          if (Array.isArray(directories) && !directories.every(isAbsolutePath)) {
            wrong("DIR-16", [seq], shown(info), "Directories are absolute paths.");
          }
        }
      }
    },
  }),
  agentWatch({
    id: "watch/compaction-order",
    title: "A compaction begins, streams its summary, and ends once",
    verifies: ["COMPACT-02", "COMPACT-04", "COMPACT-06", "COMPACT-08"],
    look(conversation, { see, wrong }) {
      const last = new Map<string, { seq: number; status: unknown }>();
      for (const { seq, sessionId, tag, update, replay } of updatesIn(conversation)) {
        if (!tag.startsWith("compaction_") || replay) continue;
        see();
        const key = `${sessionId} ${update.compactionId}`;
        const before = last.get(key);
        const ended = before !== undefined && before.status !== "in_progress";
        if (tag === "compaction_summary_chunk") {
          if (before === undefined || ended) {
            wrong(
              "COMPACT-06",
              [...(before ? [before.seq] : []), seq],
              shown(update),
              "The summary is streamed between in_progress and the end.",
            );
          }
          continue;
        }
        if (ended) {
          const again = update.status === "in_progress";
          wrong(
            again ? "COMPACT-02" : "COMPACT-04",
            [before.seq, seq],
            shown(update),
            again
              ? "A compactionId is never used again for another compaction of the session."
              : "A compaction begins with in_progress and ends exactly once.",
          );
        }
        if (textOf(update.summary) && update.status !== "completed")
          wrong("COMPACT-08", [seq], shown(update), "Only a completed compaction has a summary.");
        if (update.error !== undefined && update.error !== null && update.status !== "failed") {
          wrong("COMPACT-08", [seq], shown(update), "Only a failed compaction has an error.");
        }
        last.set(key, { seq, status: update.status });
      }
    },
  }),
  agentWatch({
    id: "watch/no-notices-in-replay",
    title: "A replayed history has no notices",
    verifies: ["SESS-20", "NOTICE-05"],
    look(conversation, { see, wrong }) {
      for (const { seq, tag, update, replay } of updatesIn(conversation)) {
        if (!replay) continue;
        see();
        if (tag === "notice")
          wrong("SESS-20", [seq], shown(update), "Notices are for the moment; they should not be part of the history.");
      }
    },
  }),
  agentWatch({
    id: "watch/paths-for-the-client",
    title: "Paths in requests to the client are absolute",
    verifies: ["FS-03", "TERM-05"],
    look({ spoken }, { see, wrong }) {
      for (const { from, kind, method, params, seq } of spoken) {
        if (from !== "agent" || kind !== "request") continue;
        const isFile = method?.startsWith("fs/") === true;
        const path = isFile ? member(params, "path") : method === "terminal/create" ? member(params, "cwd") : undefined;
        if (path === undefined || path === null) continue;
        see();
        if (isAbsolutePath(path)) continue;
        wrong(
          isFile ? "FS-03" : "TERM-05",
          [seq],
          `${method} with ${shown(path)}`,
          "The path, or the cwd of a terminal, is absolute.",
        );
      }
    },
  }),
];

interface Turn {
  readonly prompt: Spoken;
  readonly answer: Spoken;
  /** The next prompt or load of the session, or the end. */
  readonly until: number;
}

function turnsIn({ spoken }: Conversation): readonly Turn[] {
  return spoken.flatMap((prompt): Turn[] => {
    if (prompt.from !== "client" || prompt.method !== "session/prompt" || !prompt.other) return [];
    const answer = prompt.other;
    const next = spoken.find(
      (one) =>
        one.from === "client" &&
        one !== prompt &&
        one.seq > prompt.seq &&
        sessionOf(one) === sessionOf(prompt) &&
        (one.method === "session/prompt" || one.method === "session/load"),
    );
    // A prompt that overlaps another one: which update belongs to which is not decidable.
    const overlapped = spoken.some(
      (one) =>
        one.method === "session/prompt" &&
        one !== prompt &&
        sessionOf(one) === sessionOf(prompt) &&
        one.seq < answer.seq &&
        (one.other?.seq ?? Number.POSITIVE_INFINITY) > prompt.seq,
    );
    return overlapped ? [] : [{ prompt, answer, until: next?.seq ?? Number.POSITIVE_INFINITY }];
  });
}

function isIso(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** When the client said that the command of a terminal has ended, by terminal. */
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

function terminalsOf({ update }: Update): readonly unknown[] {
  return objectsIn(update.content).flatMap(({ type, terminalId }) => (type === "terminal" ? [terminalId] : []));
}
