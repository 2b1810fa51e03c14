import type { Message, Mutant } from "../wire/mutation.js";
import { alter, call, injectBefore, late, mislead, notification, result, update } from "../wire/operators.js";

const opened = result("session/new");
const history = update("user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call");

/** The rules of sessions, their options, and their list. */
export const sessionMutants: readonly Mutant[] = [
  {
    rule: "SESS-03",
    does: "creates a session without an id",
    shows: ["session/unique-ids"],
    mutation: alter(opened, ({ result }) => delete result.sessionId),
  },
  {
    rule: "SESS-03",
    does: "creates all sessions with the same id",
    shows: ["session/unique-ids"],
    mutation: alter(opened, ({ result }) => (result.sessionId = "the one")),
  },
  {
    rule: "SESS-09",
    also: ["SESS-08"],
    does: "ignores the cwd",
    shows: ["session/cwd"],
    mutation: mislead(call("session/new"), ({ params }) => (params.cwd = "/")),
  },
  {
    rule: "SESS-14",
    does: "loads a session without its history",
    shows: ["session/load"],
    mutation: () => {
      let loading = false;
      return {
        fromKit(message) {
          if (message.method === "session/load") loading = true;
          return undefined;
        },
        fromPeer: (message, wire) => (loading && history(message, wire) ? [] : undefined),
      };
    },
  },
  {
    rule: "SESS-15",
    does: "replays the history after the response to session/load",
    shows: ["session/load"],
    mutation: late(
      (message, wire) =>
        history(message, wire) && [...wire.openFromKit].some(({ method }) => method === "session/load"),
      result("session/load"),
    ),
  },
  {
    rule: "SESS-23",
    does: "replays the history after session/resume",
    shows: ["session/resume"],
    mutation: injectBefore(result("session/resume"), (message, wire) => [
      notification("session/update", {
        sessionId: wire.askedByKit(message)?.params.sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "old" } },
      }),
    ]),
  },
  {
    rule: "SESS-27",
    does: "ends the turn of a closed session with end_turn",
    shows: ["session/close-running"],
    mutation: alter(
      (message) => message.result?.stopReason === "cancelled",
      ({ result }) => (result.stopReason = "end_turn"),
    ),
  },
  {
    rule: "DIR-03",
    does: "ignores malformed directories",
    shows: ["session/additional-directories"],
    mutation: mislead(call("session/new"), ({ params }) => delete params.additionalDirectories),
  },
  {
    rule: "MCP-02",
    does: "does not connect to the MCP servers",
    shows: ["session/mcp-server"], // of an agent in a process: `processes.test.ts`
    mutation: mislead(call("session/new"), ({ params }) => (params.mcpServers = [])),
  },
  {
    rule: "LIST-05",
    does: "lists sessions in an object",
    shows: ["session/list"],
    mutation: alter(result("session/list"), ({ result }) => (result.sessions = {})),
  },
  {
    rule: "LIST-06",
    does: "lists sessions with a relative cwd",
    shows: ["session/list", "watch/session-list-entries"],
    mutation: alter(result("session/list"), ({ result }) => {
      for (const session of result.sessions) session.cwd = "here";
    }),
  },
  {
    rule: "LIST-06",
    does: "lists sessions without an id",
    shows: ["session/list", "watch/schema/session-list"],
    mutation: alter(result("session/list"), ({ result }) => {
      for (const session of result.sessions) delete session.sessionId;
    }),
  },
  {
    rule: "CFG-02",
    does: "has a config option without a name",
    shows: ["prompt/text", "watch/schema/config-options"],
    mutation: alter(opened, ({ result }) => delete result.configOptions[0].name),
  },
  {
    rule: "CFG-04",
    does: "has a config option without a current value",
    shows: ["options/untouched"],
    mutation: alter(opened, ({ result }) => (result.configOptions[0].currentValue = null)),
  },
  {
    rule: "CFG-15",
    does: "responds to a changed option without the other options",
    shows: ["options/set"],
    mutation: alter(result("session/set_config_option"), (message, wire) => {
      const { configId } = wire.askedByKit(message)?.params ?? {};
      message.result.configOptions = message.result.configOptions.filter(({ id }: Message) => id === configId);
    }),
  },
  {
    rule: "CFG-15",
    does: "responds to a changed option without one of the other options",
    shows: ["options/set"],
    mutation: alter(result("session/set_config_option"), ({ result }) => result.configOptions.pop()),
  },
  {
    rule: "CFG-15",
    does: "responds to a changed option without options",
    shows: ["options/set"],
    mutation: alter(result("session/set_config_option"), (message) => (message.result = {})),
  },
  {
    rule: "CFG-15",
    does: "responds to a changed option with the old value",
    shows: ["options/set"],
    mutation: alter(result("session/set_config_option"), (message, wire) => {
      const { configId, value } = wire.askedByKit(message)?.params ?? {};
      const option = message.result.configOptions.find(({ id }: Message) => id === configId);
      option.currentValue = option.options.find((each: Message) => each.value !== value).value;
    }),
  },
  {
    rule: "CMD-02",
    does: "lists commands without a description",
    shows: ["tour/commands", "watch/schema/commands"],
    mutation: alter(update("available_commands_update"), ({ params }) => {
      for (const command of params.update.availableCommands) delete command.description;
    }),
  },
];
