// biome-ignore-all lint/suspicious/noAssignInExpressions: a table of mistakes, each a line; what it changes and where stand together
import type { Message, Mutant } from "../wire/mutation.js";
import { alter, call, drop, failed, inject, mislead, result, update, updateOf } from "../wire/operators.js";

const isStop =
  (reason: string) =>
  ({ result }: Message): boolean =>
    result?.stopReason === reason;
const inUpdate = (tag: string, change: (update: Message) => unknown) =>
  alter(update(tag), ({ params }) => change(params.update));
const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "late" } };

/** The rules of turns: their updates, tool calls, plans, and their end. */
export const turnMutants: readonly Mutant[] = [
  {
    rule: "PROMPT-04",
    does: "refuses prompts with resource links",
    shows: ["prompt/resource-link"],
    mutation: mislead(call("session/prompt"), ({ params }) => {
      if (params.prompt.some(({ type }: Message) => type === "resource_link")) params.prompt = "none";
    }),
  },
  {
    rule: "PROMPT-07",
    does: "ends a turn without a stop reason",
    shows: ["prompt/text"],
    mutation: alter(result("session/prompt"), ({ result }) => delete result.stopReason),
  },
  {
    rule: "PROMPT-08",
    does: "ends a turn with a stop reason that the schema does not define",
    shows: ["prompt/text", "watch/schema/stop-reason"],
    mutation: alter(result("session/prompt"), ({ result }) => (result.stopReason = "done")),
  },
  {
    rule: "PROMPT-09",
    does: "ends a rejected turn as cancelled",
    shows: ["permission/rejected"],
    mutation: () => {
      let isRejected = false;
      return {
        fromKit(message) {
          isRejected ||= message.result?.outcome?.optionId?.startsWith("no") === true;
          return undefined;
        },
        fromPeer: (message) =>
          isRejected && message.result?.stopReason !== undefined
            ? [{ ...message, result: { stopReason: "cancelled" } }]
            : undefined,
      };
    },
  },
  {
    rule: "UPD-01",
    does: "sends updates as requests",
    shows: ["prompt/text", "watch/schema/updates"],
    mutation: alter(call("session/update"), (message) => (message.id = 7_000)),
  },
  {
    rule: "UPD-01",
    does: "sends updates without a kind",
    shows: ["prompt/text", "watch/schema/updates"],
    mutation: inUpdate("agent_message_chunk", (sent) => delete sent.sessionUpdate),
  },
  {
    rule: "MSG-04",
    does: "sends all messages with the same id",
    shows: ["prompt/two-turns", "watch/message-ids"],
    mutation: inUpdate("agent_message_chunk", (sent) => (sent.messageId = "the one")),
  },
  {
    rule: "CONT-01",
    does: "sends text blocks without text",
    shows: ["prompt/text", "watch/schema/content-blocks"],
    mutation: inUpdate("agent_message_chunk", (sent) => delete sent.content.text),
  },
  {
    rule: "TOOL-02",
    does: "sends tool calls without a title",
    shows: ["tour/tools", "watch/schema/tool-calls"],
    mutation: inUpdate("tool_call", (sent) => delete sent.title),
  },
  {
    rule: "TOOL-02",
    does: "sends all tool calls with the same id",
    shows: ["tour/tools", "watch/tool-call-ids"],
    mutation: alter(update("tool_call", "tool_call_update"), ({ params }) => (params.update.toolCallId = "the one")),
  },
  {
    rule: "TOOL-11",
    does: "sends content blocks directly as the content of tool calls",
    shows: ["tour/tools", "watch/schema/tool-calls"],
    mutation: inUpdate("tool_call_update", (sent) => sent.content && (sent.content = [{ type: "text", text: "bare" }])),
  },
  {
    rule: "TOOL-12",
    does: "shows a diff of a relative path",
    shows: ["permission/rejected", "watch/tool-call-paths"],
    mutation: inUpdate("tool_call", (sent) => {
      for (const each of sent.content ?? []) if (each.type === "diff") each.path = "file.txt";
    }),
  },
  {
    rule: "TOOL-12",
    does: "shows a diff without the new text",
    shows: ["permission/rejected", "watch/schema/tool-calls"],
    mutation: inUpdate("tool_call", (sent) => {
      for (const each of sent.content ?? []) if (each.type === "diff") delete each.newText;
    }),
  },
  {
    rule: "TOOL-15",
    does: "sends locations with relative paths",
    shows: ["tour/tools", "watch/tool-call-paths"],
    mutation: inUpdate("tool_call_update", (sent) => sent.locations && (sent.locations = [{ path: "main.ts" }])),
  },
  {
    rule: "PLAN-02",
    does: "sends plan entries without a priority",
    shows: ["tour/plan", "watch/schema/plans"],
    mutation: inUpdate("plan", (sent) => delete sent.entries[0].priority),
  },
  {
    rule: "PLAN-04",
    does: "sends a plan without one entry and sends the entry again later",
    shows: ["tour/plan", "watch/whole-plans"],
    mutation: () => {
      let plans = 0;
      return {
        fromPeer(message, wire) {
          if (!update("plan")(message, wire) || ++plans !== 2) return undefined;
          const copy = structuredClone(message);
          copy.params.update.entries.shift();
          return [copy];
        },
      };
    },
  },
  {
    rule: "USAGE-02",
    does: "reports usage without the size of the context",
    shows: ["tour/usage", "watch/schema/usage"],
    mutation: inUpdate("usage_update", (sent) => (sent.size = null)),
  },
  {
    rule: "USAGE-04",
    does: "reports a cost without a currency",
    shows: ["tour/usage", "watch/schema/usage"],
    mutation: inUpdate("usage_update", (sent) => (sent.cost = { amount: 1 })),
  },
  {
    rule: "USAGE-04",
    does: "reports a cost that decreases",
    shows: ["tour/usage", "watch/cost-grows"],
    mutation: () => {
      let amount = 9;
      return {
        fromPeer(message, wire) {
          if (!update("usage_update")(message, wire)) return undefined;
          const copy = structuredClone(message);
          copy.params.update.cost = { amount: amount--, currency: "USD" };
          return [copy, structuredClone(copy)].map((each, index) => {
            each.params.update.cost.amount -= index;
            return each;
          });
        },
      };
    },
  },
  {
    rule: "NOTICE-02",
    does: "sends notices with an empty title",
    shows: ["tour/notice", "watch/schema/notices"],
    mutation: inUpdate("notice", (sent) => (sent.title = "")),
  },
  {
    rule: "COMPACT-02",
    does: "uses the id of a finished compaction again",
    shows: ["tour/compaction", "watch/compaction-order"],
    mutation: inject(
      (message, wire) => update("compaction_update")(message, wire) && message.params.update.status === "completed",
      (message) => [updateOf(message, { ...message.params.update, summary: undefined, status: "in_progress" })],
    ),
  },
  {
    rule: "COMPACT-03",
    does: "sends compactions without a status",
    shows: ["tour/compaction", "watch/schema/compaction"],
    mutation: inUpdate("compaction_update", (sent) => delete sent.status),
  },
  {
    rule: "COMPACT-04",
    does: "ends a compaction twice",
    shows: ["tour/compaction", "watch/compaction-order"],
    mutation: inject(
      (message, wire) => update("compaction_update")(message, wire) && message.params.update.status === "completed",
      (message) => [message],
    ),
  },
  {
    rule: "COMPACT-06",
    does: "streams the summary of an unknown compaction",
    shows: ["tour/compaction", "watch/compaction-order"],
    mutation: drop(
      (message, wire) => update("compaction_update")(message, wire) && message.params.update.status === "in_progress",
    ),
  },
  {
    rule: "CANCEL-06",
    does: "ends a cancelled turn with end_turn",
    shows: ["cancel/running-turn"],
    mutation: alter(isStop("cancelled"), ({ result }) => (result.stopReason = "end_turn")),
  },
  {
    rule: "CANCEL-07",
    does: "ends a cancelled turn with an error",
    shows: ["cancel/running-turn"],
    mutation: alter(isStop("cancelled"), (message) => {
      delete message.result;
      Object.assign(message, failed);
    }),
  },
  {
    rule: "CANCEL-08",
    does: "sends updates after the end of a cancelled turn",
    shows: ["cancel/running-turn"],
    mutation: inject(isStop("cancelled"), (message, wire) => [updateOf(wire.askedByKit(message) ?? {}, text)]),
  },
];
