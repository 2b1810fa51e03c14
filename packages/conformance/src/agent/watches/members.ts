import type { Watch } from "../../scenario.js";
import { entryOf, isObject, type Json, member, shown } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";

/** The members, beside `_meta`, that the schemas of version 1 (the unstable one included) declare at the root of what agents send. A test compares. */
export const declaredMembers: {
  readonly params: Readonly<Record<string, string>>;
  readonly results: Readonly<Record<string, string>>;
  readonly updates: Readonly<Record<string, string>>;
} = {
  params: {
    "$/cancel_request": "requestId",
    "elicitation/complete": "elicitationId",
    "elicitation/create": "elicitationId message mode requestId requestedSchema sessionId toolCallId url",
    "fs/read_text_file": "limit line path sessionId",
    "fs/write_text_file": "content path sessionId",
    "session/request_permission": "options sessionId toolCall",
    "session/update": "sessionId update",
    "terminal/create": "args command cwd env outputByteLimit sessionId",
    "terminal/kill": "sessionId terminalId",
    "terminal/output": "sessionId terminalId",
    "terminal/release": "sessionId terminalId",
    "terminal/wait_for_exit": "sessionId terminalId",
  },
  results: {
    authenticate: "",
    initialize: "agentCapabilities agentInfo authMethods protocolVersion",
    logout: "",
    "session/close": "",
    "session/delete": "",
    "session/list": "nextCursor sessions",
    "session/load": "configOptions modes",
    "session/new": "configOptions modes sessionId",
    "session/prompt": "stopReason usage",
    "session/resume": "configOptions modes",
    "session/set_config_option": "configOptions",
    "session/set_mode": "",
  },
  updates: {
    agent_message_chunk: "content messageId",
    agent_thought_chunk: "content messageId",
    available_commands_update: "availableCommands",
    compaction_summary_chunk: "compactionId content",
    compaction_update: "compactionId error status summary",
    config_option_update: "configOptions",
    current_mode_update: "currentModeId",
    notice: "description severity title",
    plan: "entries",
    session_info_update: "title updatedAt",
    tool_call: "content kind locations name rawInput rawOutput status title toolCallId",
    tool_call_update: "content kind locations name rawInput rawOutput status title toolCallId",
    usage_update: "cost size used",
    user_message_chunk: "content messageId",
  },
};

function undeclared(value: unknown, declared: string | undefined): readonly string[] {
  if (declared === undefined || !isObject(value)) return [];
  const names = new Set([...declared.split(" "), "_meta", "sessionUpdate"]);
  return Object.keys(value).filter((name) => !names.has(name));
}

/** Watches for additions to the protocol's own types outside of `_meta`. */
export const membersWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/no-custom-members",
    title: "There are no members of the agent's own outside of _meta",
    verifies: ["EXT-03"],
    look({ spoken }, { see, wrong }) {
      for (const { from, method, other, params, message, seq, kind } of spoken) {
        if (from !== "agent") continue;
        see();
        const report = (value: Json | unknown, names: readonly string[]): void => {
          if (names.length === 0) return;
          wrong(
            "EXT-03",
            [seq],
            `${names.join(", ")} in ${shown(value)}`,
            "The schema does not declare this member; additions to the protocol's types belong in _meta.",
          );
        };
        if (method !== undefined) report(params, undeclared(params, entryOf(declaredMembers.params, method)));
        const update = member(params, "update");
        if (method === "session/update") {
          report(update, undeclared(update, entryOf(declaredMembers.updates, String(member(update, "sessionUpdate")))));
        }
        if (kind === "response" && other?.method !== undefined) {
          report(message.result, undeclared(message.result, entryOf(declaredMembers.results, other.method)));
        }
      }
    },
  }),
];
