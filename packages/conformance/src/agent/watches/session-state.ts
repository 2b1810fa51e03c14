import type { Watch } from "../../scenario.js";
import { asText, isAbsolutePath, isIso8601, member, objectsIn, shown, textOf } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";
import { areInDifferentTurns, type SessionUpdate, updatesIn } from "./session-history.js";

/** Checks of every recorded dialogue: the message ids, plans, costs, infos and lists that updates contain. */
export const sessionStateWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/message-ids",
    title: "Each messageId belongs to one message",
    verifies: ["MSG-04"],
    check(conversation, { countEntry, wrong }) {
      const first = new Map<string, SessionUpdate>();
      for (const one of updatesIn(conversation)) {
        const id = textOf(one.update.messageId);
        if (id === undefined || !one.tag.endsWith("_chunk") || one.replay) continue;
        countEntry();
        const key = `${one.sessionId} ${id}`;
        const before = first.get(key) ?? one;
        first.set(key, before);
        const isUser = (tag: string): boolean => tag === "user_message_chunk";
        if (!areInDifferentTurns(before, one) && isUser(before.tag) === isUser(one.tag)) continue;
        wrong("MSG-04", [before.seq, one.seq], `the messageId ${shown(id)} again`);
      }
    },
  }),
  agentWatch({
    id: "watch/whole-plans",
    title: "Every plan update lists all entries",
    verifies: ["PLAN-04"],
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
          wrong(
            "PLAN-04",
            [last.seq, seq],
            "a plan with only some entries of the previous plan",
            "Each plan update has all entries, also completed ones. A plan may drop entries, so this is advice.",
            { advice: true },
          );
        }
        // A plan may drop an entry permanently, and may replace all entries by others. If a plan has only some entries of an earlier plan, and a
        // dropped entry appears again in a later plan, the plan between them left it out by mistake.
        if (gone && last) {
          wrong(
            "PLAN-04",
            [gone.seq, last.seq, seq],
            "a plan without an entry that the plans before and after it have",
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
    check(conversation, { countEntry, wrong }) {
      const costs = new Map<string, { seq: number; amount: number }>();
      for (const { seq, sessionId, tag, update, replay } of updatesIn(conversation)) {
        const amount = member(update.cost, "amount");
        if (tag !== "usage_update" || typeof amount !== "number" || replay) continue;
        countEntry();
        const key = `${sessionId} ${asText(member(update.cost, "currency"))}`;
        const before = costs.get(key);
        if (before && amount < before.amount) {
          wrong("USAGE-04", [before.seq, seq], `${amount} after ${before.amount}`);
        }
        costs.set(key, { seq, amount });
      }
    },
  }),
  agentWatch({
    id: "watch/session-info-members",
    title: "A session_info_update has its time in ISO 8601, and no members that can't change",
    verifies: ["INFO-03", "INFO-04"],
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
  agentWatch({
    id: "watch/session-list-entries",
    title: "Listed sessions have absolute directories and times in ISO 8601",
    verifies: ["LIST-06", "DIR-16"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { other, message, seq } of spoken) {
        if (other?.method !== "session/list") continue;
        for (const info of objectsIn(member(message, "result", "sessions"))) {
          countEntry();
          const at = textOf(info.updatedAt);
          if (!isAbsolutePath(info.cwd))
            wrong("LIST-06", [seq], shown(info), "The cwd of a listed session is an absolute path.");
          if (at !== undefined && !isIso8601(at))
            wrong("LIST-06", [seq], shown(info), "The time updatedAt is a date and a time in ISO 8601.", {
              remedy: "Send updatedAt as a date and a time in ISO 8601, such as the result of toISOString().",
            });
          const directories = info.additionalDirectories;
          if (Array.isArray(directories) && !directories.every(isAbsolutePath)) {
            wrong("DIR-16", [seq], shown(info));
          }
        }
      }
    },
  }),
];
