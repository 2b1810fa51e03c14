// biome-ignore-all lint/suspicious/noAssignInExpressions: the same
// biome-ignore-all lint/complexity/noCommaOperator: a table of habits, each a line; what it changes and what it lets pass stand together
import type { Message, Mutation, RightAgent } from "./right-agent.js";

/** An agent with unusual but legal behaviour. It must fail no mandatory or capability rule. */
export interface LegalAgent {
  /** Its behaviour, for the end of the sentence "an agent that …". */
  readonly habit: string;
  readonly mutation: Mutation;
  /** The verdict on it. @defaultValue "conformant" */
  readonly verdict?: "inconclusive";
  /** What the first reason of an inconclusive verdict says. */
  readonly reason?: string;
  /** Limits other than those of the tests. */
  readonly limits?: { readonly answerMs?: number; readonly turnMs?: number; readonly exitMs?: number };
}

const update = (sessionId: unknown, rest: Message): Message => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: rest },
});
const say = (sessionId: unknown, text: string): Message =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const isResult = (message: Message, name: string): boolean => message.result?.[name] !== undefined;

/** Changes results before they are written. */
const results = (change: (result: Message, message: Message, agent: RightAgent) => void): Mutation => ({
  write(message, agent) {
    if (typeof message.result !== "object" || message.result === null) return undefined;
    const copy = structuredClone(message);
    change(copy.result, copy, agent);
    return [copy];
  },
});

/** Answers requests of some methods with an error. */
const refuses = (methods: readonly string[], error: Message): Mutation => ({
  receive: (message, agent) =>
    methods.includes(message.method) && "id" in message
      ? (agent.send({ jsonrpc: "2.0", id: message.id, error }), true)
      : false,
});

/** Answers the requests of a method late. */
const late = (method: string, ms: number): Mutation => {
  const waited = new WeakSet<Message>();
  return {
    receive(message, agent) {
      if (message.method !== method || waited.has(message)) return false;
      waited.add(message);
      setTimeout(() => !agent.ended && agent.message(message), ms);
      return true;
    },
  };
};

const optional = ["session/load", "session/list", "session/delete", "session/resume", "session/close", "logout"];

/** Every behaviour that a run once reported falsely as a failure, and others that could be. */
export const legalAgents: readonly LegalAgent[] = [
  {
    habit: "does not end soon after the end of its input (TRANS-12)",
    mutation: { immortal: true },
    limits: { exitMs: 30 },
  },
  {
    habit: "leaves a command running when its turn ends (TOOL-10)",
    mutation: {
      write: (message) =>
        message.params?.update?.sessionUpdate === "tool_call_update" && message.params.update.name === "search"
          ? []
          : undefined,
    },
  },
  {
    habit: "takes mcpServers 5 for an empty list (SESS-33)",
    mutation: {
      receive: (message) => (
        message.method === "session/new" && message.params?.mcpServers === 5 && (message.params.mcpServers = []), false
      ),
    },
  },
  {
    habit: "cannot set its options here, whatever is sent (CFG-15, CFG-18, CFG-20)",
    mutation: refuses(["session/set_config_option", "session/set_mode"], { code: -32603, message: "No model chosen" }),
  },
  {
    habit: "refuses malformed optional members (INIT-22)",
    mutation: {
      receive: (message, agent) =>
        message.method === "initialize" && message.params.clientInfo === 5
          ? (agent.send({ jsonrpc: "2.0", id: message.id, error: { code: -32602, message: "Invalid params" } }), true)
          : false,
    },
  },
  {
    habit: "answers session/load with null, as the pages show it (SESS-17)",
    mutation: {
      write: (message, agent) =>
        isResult(message, "modes") && agent.store.size > 0 && !isResult(message, "sessionId")
          ? [{ jsonrpc: "2.0", id: message.id, result: null }]
          : undefined,
    },
  },
  {
    habit: "needs a login for every session",
    mutation: refuses(["session/new"], { code: -32000, message: "Authentication required" }),
    verdict: "inconclusive",
    reason: "A login is needed",
  },
  {
    habit: "ends at once for want of a setting",
    mutation: { receive: (_, agent) => (agent.exit(1), true) },
    verdict: "inconclusive",
    reason: "The agent's process ends at once (exit code 1)",
  },
  {
    habit: "opens no session without a setting of its own",
    mutation: refuses(["session/new"], { code: -32603, message: "No API key" }),
    verdict: "inconclusive",
    reason: "Session/new fails",
  },
  {
    habit: "has no model behind it",
    mutation: refuses(["session/prompt"], { code: -32603, message: "No model" }),
    verdict: "inconclusive",
    reason: "A plain turn fails",
  },
  {
    habit: "opens sessions slowly",
    mutation: late("session/new", 120),
    limits: { answerMs: 60 },
    verdict: "inconclusive",
    reason: "Too slow for these limits: the response to session/new took",
  },
  {
    habit: "starts slowly, but not too slowly",
    mutation: late("initialize", 80),
  },
  {
    habit: "speaks version 2 alone",
    mutation: results((result) => {
      if (result.protocolVersion !== undefined) result.protocolVersion = 2;
    }),
    verdict: "inconclusive",
    reason: "The agent speaks version 2",
  },
  {
    habit: "has no optional part at all",
    mutation: {
      ...refuses(optional, { code: -32601, message: "Method not found" }),
      ...results((result) => {
        if (result.protocolVersion !== undefined) {
          for (const name of ["agentCapabilities", "agentInfo", "authMethods"]) delete result[name];
        }
        for (const name of ["modes", "configOptions"]) delete result[name];
      }),
    },
  },
  {
    habit: "sends updates outside of turns, and before the session's own answer",
    mutation: {
      write(message) {
        if (message.result?.sessionId !== undefined) {
          const commands = { sessionUpdate: "available_commands_update", availableCommands: [] };
          return [update(message.result.sessionId, commands), message, update(message.result.sessionId, commands)];
        }
        return undefined;
      },
    },
  },
  {
    habit: "says something after the end of a turn",
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "end_turn"
          ? [message, say([...agent.sessions.keys()].at(-1), "By the way …")]
          : undefined,
    },
  },
  {
    habit: "writes its members in another order, with _meta everywhere",
    mutation: {
      write: (message) => [
        Object.fromEntries(
          Object.entries(message)
            .reverse()
            .map(([name, value]) => [
              name,
              name === "result" || name === "params" ? { ...value, _meta: { "example.com/x": [null, 1] } } : value,
            ]),
        ),
      ],
    },
  },
  {
    habit: "sends null for optional members",
    mutation: {
      write(message) {
        const { update: told } = message.params ?? {};
        if (told?.sessionUpdate !== "tool_call" && told?.sessionUpdate !== "agent_message_chunk") return undefined;
        return [{ ...message, params: { ...message.params, _meta: null, update: { ...told, _meta: null } } }];
      },
    },
  },
  {
    habit: "sends notifications of its own",
    mutation: {
      write: (message) =>
        message.result?.agentInfo
          ? [message, { jsonrpc: "2.0", method: "_example.com/ready", params: { at: 1 } }]
          : undefined,
    },
  },
  {
    habit: "announces the same tool call twice",
    mutation: {
      write: (message) =>
        message.params?.update?.sessionUpdate === "tool_call" ? [message, structuredClone(message)] : undefined,
    },
  },
  {
    habit: "shows a terminal of its own in a tool call (CAP-15)",
    mutation: {
      write(message) {
        const { update: told } = message.params ?? {};
        if (told?.sessionUpdate !== "tool_call" || told.name !== "search") return undefined;
        const content = [{ type: "terminal", terminalId: "its-own" }];
        return [{ ...message, params: { ...message.params, update: { ...told, content } } }];
      },
    },
  },
  {
    habit: "has options that depend on each other (CFG-15, CFG-16)",
    mutation: results((result, _message, agent) => {
      const [session] = agent.sessions.values();
      if (!result.configOptions || session?.model !== "large") return;
      result.configOptions = result.configOptions.filter(({ id }: Message) => id !== "speed");
    }),
  },
  {
    habit: "ends a rejected turn as cancelled (PROMPT-09)",
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "end_turn" && (agent as Message).rejected
          ? [{ ...message, result: { stopReason: "cancelled" } }]
          : undefined,
      receive: (message, agent) => (
        message.result?.outcome?.optionId === "no" && ((agent as Message).rejected = true), false
      ),
    },
  },
  {
    habit: "drops what is completed from its plan (PLAN-04)",
    mutation: {
      write(message) {
        const { update: told } = message.params ?? {};
        if (told?.sessionUpdate !== "plan" || told.entries[0].status !== "completed") return undefined;
        return [{ ...message, params: { ...message.params, update: { ...told, entries: told.entries.slice(1) } } }];
      },
    },
  },
  {
    habit: "asks for an e-mail address and a user name in a form (ELICIT-25)",
    mutation: {
      write(message) {
        if (message.method !== "elicitation/create" || message.params.mode !== "form") return undefined;
        const text = "We never ask for your password here. Please enter your e-mail address.";
        return [{ ...message, params: { ...message.params, message: text } }];
      },
    },
  },
  {
    habit: "ends its turns soon, also those that should last (CANCEL-06, SESS-27)",
    mutation: {
      receive(message, agent) {
        const { sessionId, prompt } = message.params ?? {};
        if (message.method !== "session/prompt" || !prompt?.[0]?.text?.startsWith("/slow")) return false;
        const content = { type: "text", text: "That is all." };
        agent.send(update(sessionId, { sessionUpdate: "agent_message_chunk", content }));
        setImmediate(() => agent.send({ jsonrpc: "2.0", id: message.id, result: { stopReason: "end_turn" } }));
        return true;
      },
    },
  },
  {
    habit: "is silent in its turns",
    mutation: {
      write: (message) => (message.params?.update?.sessionUpdate === "agent_message_chunk" ? [] : undefined),
    },
  },
];
