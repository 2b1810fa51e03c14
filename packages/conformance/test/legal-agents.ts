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
  /** Text of the first reason of an inconclusive verdict. */
  readonly reason?: string;
  /** Limits other than those of the tests. */
  readonly limits?: {
    readonly answerMs?: number;
    readonly turnMs?: number;
    readonly graceMs?: number;
    readonly exitMs?: number;
  };
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

/** Responds to requests of some methods with an error. */
const refuses = (methods: readonly string[], error: Message): Mutation => ({
  receive: (message, agent) =>
    methods.includes(message.method) && "id" in message
      ? (agent.send({ jsonrpc: "2.0", id: message.id, error }), true)
      : false,
});

/** Responds late to the requests of a method, or only to those that a test selects. */
const late = (method: string, ms: number, isLate: (message: Message) => boolean = () => true): Mutation => {
  const waited = new WeakSet<Message>();
  return {
    receive(message, agent) {
      if (message.method !== method || !isLate(message) || waited.has(message)) return false;
      waited.add(message);
      setTimeout(() => !agent.ended && agent.message(message), ms);
      return true;
    },
  };
};

/** Cleans up for a long time after a cancel, and then responds to the prompt. */
const cancelsSlowly = (ms: number): Mutation => ({
  write(message, agent) {
    if (message.result?.stopReason !== "cancelled") return undefined;
    setTimeout(() => !agent.ended && agent.raw(JSON.stringify(message)), ms);
    return [];
  },
});

/**
 * Ends each long turn by itself: some ticks after its first update, when the message that stops it arrives, or after the response to the
 * request that follows this message.
 */
export const endsByItself = (end: Message, when: number | "at its stop" | "after its stop"): Mutation => {
  const open = new Map<unknown, { readonly id: unknown; readonly agent: RightAgent }>();
  const finish = (sessionId: unknown, ticks: number): void => {
    if (ticks > 0) return void setImmediate(() => finish(sessionId, ticks - 1));
    const turn = open.get(sessionId);
    open.delete(sessionId);
    turn?.agent.send({ jsonrpc: "2.0", id: turn.id, ...end });
  };
  return {
    receive(message, agent) {
      const { sessionId, prompt, requestId } = message.params ?? {};
      if (message.method === "session/prompt" && prompt?.[0]?.text?.startsWith("/slow")) {
        open.set(sessionId, { id: message.id, agent });
        agent.send(say(sessionId, "one"));
        if (typeof when === "number") finish(sessionId, when);
        return true;
      }
      if (when === "after its stop" && message.method === "session/cancel") {
        setTimeout(() => finish(sessionId, 0), 30);
        return false;
      }
      if (message.method === "session/cancel" || message.method === "session/close") finish(sessionId, 0);
      if (message.method === "$/cancel_request") {
        const stopped = [...open].find(([, { id }]) => id === requestId);
        if (stopped) finish(stopped[0], 0);
      }
      return false;
    },
  };
};

/** Waits for a permission for a short time only; a turn without a permission ends with `end_turn`. */
const givesUpWaiting = (ms: number): Mutation => {
  const asked = new WeakSet<RightAgent>();
  return {
    write(message, agent) {
      if (message.method === "session/request_permission") {
        asked.add(agent);
        setTimeout(() => {
          for (const session of agent.sessions.values()) session.stop?.();
        }, ms);
      }
      if (!asked.has(agent) || message.result?.stopReason !== "cancelled") return undefined;
      return [{ ...message, result: { stopReason: "end_turn" } }];
    },
  };
};

/** Runs commands in the background: a turn ends by itself while its command is running, just before the agent reads a cancel. */
const runsInBackground: Mutation = (() => {
  const running = new WeakSet<RightAgent>();
  return {
    write(message, agent) {
      if (message.method === "terminal/wait_for_exit") running.add(agent);
      if (!running.has(agent) || message.result?.stopReason !== "cancelled") return undefined;
      return [{ ...message, result: { stopReason: "end_turn" } }];
    },
  };
})();

/** Releases the terminals of a turn when the next prompt arrives. */
const releasesLate: Mutation = (() => {
  const kept = new WeakMap<RightAgent, Message[]>();
  return {
    write(message, agent) {
      if (message.method !== "terminal/release") return undefined;
      kept.set(agent, [...(kept.get(agent) ?? []), message]);
      return [];
    },
    receive(message, agent) {
      if (message.method !== "session/prompt") return false;
      for (const release of kept.get(agent) ?? []) agent.raw(JSON.stringify(release));
      kept.delete(agent);
      return false;
    },
  };
})();

const optional = ["session/load", "session/list", "session/delete", "session/resume", "session/close", "logout"];

/** Behaviours that a run once reported falsely as a failure, and similar ones. */
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
    habit: "reads mcpServers 5 as an empty list (SESS-33)",
    mutation: {
      receive: (message) => (
        message.method === "session/new" && message.params?.mcpServers === 5 && (message.params.mcpServers = []), false
      ),
    },
  },
  {
    habit: "fails to set any option (CFG-15, CFG-18, CFG-20)",
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
    habit: "responds to session/load with null, as the pages show it (SESS-17)",
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
    habit: "exits at once because a setting is missing",
    mutation: { receive: (_, agent) => (agent.exit(1), true) },
    verdict: "inconclusive",
    reason: "The agent's process ends at once (exit code 1)",
  },
  {
    habit: "opens no session because a setting is missing",
    mutation: refuses(["session/new"], { code: -32603, message: "No API key" }),
    verdict: "inconclusive",
    reason: "Session/new fails",
  },
  {
    habit: "has no model",
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
    habit: "responds to a plain prompt quickly, and to every other prompt slowly",
    mutation: late("session/prompt", 60_000, ({ params }) => params?.prompt?.[0]?.text !== "hello"),
    limits: { turnMs: 1_500, graceMs: 1_000 },
  },
  {
    habit: "sets modes slowly, and does everything else quickly",
    mutation: late("session/set_mode", 60_000),
    limits: { answerMs: 1_500, graceMs: 1_000 },
  },
  {
    habit: "sets one of its options slowly, and the others quickly",
    mutation: late("session/set_config_option", 60_000, ({ params }) => params?.configId === "model"),
    limits: { answerMs: 1_500, graceMs: 1_000 },
  },
  {
    habit: "needs long to end a cancelled turn",
    mutation: cancelsSlowly(60_000),
    limits: { turnMs: 1_500, graceMs: 1_000 },
  },
  {
    habit: "starts slowly, but not too slowly",
    mutation: late("initialize", 80),
  },
  {
    habit: "supports only version 2",
    mutation: results((result) => {
      if (result.protocolVersion !== undefined) result.protocolVersion = 2;
    }),
    verdict: "inconclusive",
    reason: "The agent speaks version 2",
  },
  {
    habit: "implements no optional part of the protocol",
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
    habit: "sends updates outside of turns, and before the response to session/new",
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
    habit: "sends a message after the end of a turn",
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
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "tool_call" && sent?.sessionUpdate !== "agent_message_chunk") return undefined;
        return [{ ...message, params: { ...message.params, _meta: null, update: { ...sent, _meta: null } } }];
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
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "tool_call" || sent.name !== "search") return undefined;
        const content = [{ type: "terminal", terminalId: "its-own" }];
        return [{ ...message, params: { ...message.params, update: { ...sent, content } } }];
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
    habit: "drops completed entries from its plan (PLAN-04)",
    mutation: {
      write(message) {
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "plan" || sent.entries[0].status !== "completed") return undefined;
        return [{ ...message, params: { ...message.params, update: { ...sent, entries: sent.entries.slice(1) } } }];
      },
    },
  },
  {
    habit: "requests an e-mail address and a user name in a form (ELICIT-25)",
    mutation: {
      write(message) {
        if (message.method !== "elicitation/create" || message.params.mode !== "form") return undefined;
        const text = "We never ask for your password here. Please enter your e-mail address.";
        return [{ ...message, params: { ...message.params, message: text } }];
      },
    },
  },
  {
    habit: "ends its long turns soon (CANCEL-06, SESS-27)",
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
    habit: "ends a turn by itself just before it reads its cancel (CANCEL-06, SESS-27)",
    mutation: endsByItself({ result: { stopReason: "end_turn" } }, "at its stop"),
  },
  {
    habit: "fails in a turn just before it reads its cancel (CANCEL-07, CANCEL-10, CANCEL-24)",
    mutation: endsByItself({ error: { code: -32603, message: "The model is overloaded" } }, "at its stop"),
  },
  {
    habit: "writes the end of its long turn after it has read the cancel, which came too late (CANCEL-06)",
    mutation: endsByItself({ result: { stopReason: "end_turn" } }, "after its stop"),
  },
  {
    habit: "writes the failure of its long turn after it has read the cancel, which came too late (CANCEL-07)",
    mutation: endsByItself({ error: { code: -32603, message: "The model is overloaded" } }, "after its stop"),
  },
  {
    habit: "waits for the user for a short time, and ends the turn at a cancel or soon (CANCEL-06, SESS-27)",
    mutation: givesUpWaiting(100),
  },
  {
    habit: "runs a command in the background and ends the turn before its exit (CANCEL-06)",
    mutation: runsInBackground,
  },
  {
    habit: "keeps its terminals until the next prompt (TERM-13)",
    mutation: releasesLate,
  },
  {
    habit: "fails every login (AUTH-06)",
    mutation: refuses(["authenticate"], { code: -32603, message: "No browser" }),
  },
  {
    habit: "has a handler for every extension request, and responds with a result (EXT-05)",
    mutation: {
      receive: (message, agent) =>
        message.method?.startsWith("_") && "id" in message
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: { echoed: message.params } }), true)
          : false,
    },
  },
  {
    habit: "sends no messages in its turns",
    mutation: {
      write: (message) => (message.params?.update?.sessionUpdate === "agent_message_chunk" ? [] : undefined),
    },
  },
];
