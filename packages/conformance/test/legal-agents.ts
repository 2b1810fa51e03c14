// biome-ignore-all lint/suspicious/noAssignInExpressions: the same
// biome-ignore-all lint/complexity/noCommaOperator: a table of habits: each expression changes a message, then returns whether to drop it
import { after } from "../src/timer.js";
import type { Message, Mutation, RightAgent } from "./right-agent.js";

/** An agent with unusual but legal behaviour. It must fail no mandatory or capability rule. */
export interface LegalAgent {
  /** The agent's behaviour, as the end of the sentence "an agent that …". */
  readonly habit: string;
  readonly mutation: Mutation;
  /** The expected verdict. @defaultValue "conformant" */
  readonly verdict?: "inconclusive";
  /** Text that the first reason of an inconclusive verdict contains. */
  readonly reason?: string;
  /** Limits that differ from the default limits of the tests. */
  readonly limits?: {
    readonly requestTimeoutMs?: number;
    readonly turnTimeoutMs?: number;
    readonly lateResponseTimeoutMs?: number;
    readonly exitGraceMs?: number;
  };
}

/** Creates agents that are conformant, by their habits. */
const withHabits = (mutations: Readonly<Record<string, Mutation>>): LegalAgent[] =>
  Object.entries(mutations).map(([habit, mutation]) => ({ habit, mutation }));

const update = (sessionId: unknown, rest: Message): Message => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: rest },
});
const say = (sessionId: unknown, text: string): Message =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
/** Uses the lowest free numbers as the ids of requests, as text. */
function shortIds(): Mutation {
  const agents = new WeakMap<RightAgent, Map<string, unknown>>();
  const openOf = (agent: RightAgent): Map<string, unknown> => {
    const open = agents.get(agent) ?? new Map<string, unknown>();
    agents.set(agent, open);
    return open;
  };
  return {
    write(message, agent) {
      if (message.method === undefined || !("id" in message)) return undefined;
      const open = openOf(agent);
      let id = 1;
      while (open.has(String(id))) id += 1;
      open.set(String(id), message.id);
      return [{ ...message, id: String(id) }];
    },
    receive(message, agent) {
      const open = openOf(agent);
      if (message.method !== undefined || typeof message.id !== "string" || !open.has(message.id)) return false;
      const id = open.get(message.id);
      open.delete(message.id);
      agent.message({ ...message, id });
      return true;
    },
  };
}

/**
 * Sends a chunk of the same message with the response to `session/new`, and when the first prompt of the session
 * arrives.
 */
function greets(): Mutation {
  const greeted = new Set<unknown>();
  const greeting = (sessionId: unknown): Message =>
    update(sessionId, {
      sessionUpdate: "agent_message_chunk",
      messageId: `greeting of ${sessionId}`,
      content: { type: "text", text: "Welcome! " },
    });
  return {
    write(message) {
      const sessionId = message.result?.sessionId;
      return sessionId === undefined ? undefined : [message, greeting(sessionId)];
    },
    receive(message, agent) {
      const sessionId = message.params?.sessionId;
      if (message.method !== "session/prompt" || !agent.sessions.has(sessionId) || greeted.has(sessionId)) return false;
      greeted.add(sessionId);
      agent.send(greeting(sessionId));
      return false;
    },
  };
}

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
      after(ms, () => !agent.ended && agent.message(message));
      return true;
    },
  };
};

/** Cleans up for a long time after a cancel, and then responds to the prompt. */
const cancelsSlowly = (ms: number): Mutation => ({
  write(message, agent) {
    if (message.result?.stopReason !== "cancelled") return undefined;
    after(ms, () => !agent.ended && agent.raw(JSON.stringify(message)));
    return [];
  },
});

/**
 * Ends each long turn (a prompt that starts with `/slow`) with the response `end`. With a number, this many ticks after
 * the first update of the turn; with `at its stop`, as soon as a cancel of the turn or `session/close` arrives; with
 * `after its stop`, 30 ms after a `session/cancel`.
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

/**
 * Waits for a permission for a short time only; a turn that has requested one ends with `end_turn`. Other turns end as
 * they should.
 */
const givesUpWaiting = (ms: number): Mutation => {
  const running = new WeakMap<RightAgent, Map<unknown, unknown>>(); // the prompt's id of each session
  const requested = new WeakMap<RightAgent, Set<unknown>>(); // the prompts that have requested a permission
  return {
    receive(message, agent) {
      if (message.method !== "session/prompt") return false;
      running.set(agent, (running.get(agent) ?? new Map()).set(message.params?.sessionId, message.id));
      return false;
    },
    write(message, agent) {
      if (message.method === "session/request_permission") {
        const { sessionId } = message.params;
        const prompt = running.get(agent)?.get(sessionId);
        requested.set(agent, (requested.get(agent) ?? new Set()).add(prompt));
        setTimeout(() => requested.get(agent)?.has(prompt) && agent.sessions.get(sessionId)?.stop?.(), ms);
      }
      if (message.result?.stopReason === undefined || !requested.get(agent)?.delete(message.id)) return undefined;
      return [{ ...message, result: { stopReason: "end_turn" } }];
    },
  };
};

/**
 * Runs commands in the background: a turn ends by itself while its command is running, just before the agent reads a
 * cancel.
 */
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

/**
 * Keeps a prompt that arrives during a turn of its session, and starts it after that turn. A cancel also ends the
 * prompts that wait.
 */
const queuesPrompts = (): Mutation => {
  const waiting: { readonly message: Message; readonly agent: RightAgent }[] = [];
  const isRunning = (sessionId: unknown, agent: RightAgent): boolean =>
    agent.sessions.get(String(sessionId))?.stop !== undefined;
  return {
    receive(message, agent) {
      const sessionId = message.params?.sessionId;
      if (message.method === "session/prompt" && isRunning(sessionId, agent)) {
        waiting.push({ message, agent });
        return true;
      }
      if (message.method !== "session/cancel" && message.method !== "session/close") return false;
      for (const each of waiting.filter((one) => one.agent === agent && one.message.params.sessionId === sessionId)) {
        waiting.splice(waiting.indexOf(each), 1);
        agent.send({ jsonrpc: "2.0", id: each.message.id, result: { stopReason: "cancelled" } });
      }
      return false;
    },
    write(message, agent) {
      if (message.result?.stopReason === undefined) return undefined;
      setImmediate(() => {
        const next = waiting.find(
          (one) => one.agent === agent && !agent.ended && !isRunning(one.message.params.sessionId, agent),
        );
        if (!next) return;
        waiting.splice(waiting.indexOf(next), 1);
        agent.message(next.message);
      });
      return undefined;
    },
  };
};

/** Ends the running turn of a session when another prompt arrives for it. */
const interruptsTurns: Mutation = {
  receive(message, agent) {
    const session = agent.sessions.get(String(message.params?.sessionId));
    if (message.method !== "session/prompt" || session?.stop === undefined) return false;
    session.stop();
    setImmediate(() => agent.message(message));
    return true;
  },
};

/** Requests a permission before each turn with the prompt `hello`, although the turn runs no tool. */
const requestsBeforeEachTurn = (): Mutation => {
  const promptsOf = new WeakMap<RightAgent, Map<unknown, Message>>();
  const allowed = new WeakSet<Message>();
  return {
    receive(message, agent) {
      const held = promptsOf.get(agent) ?? new Map<unknown, Message>();
      promptsOf.set(agent, held);
      const prompt = held.get(message.id);
      if (!("method" in message) && prompt) {
        held.delete(message.id);
        const isAllowed = message.result?.outcome?.optionId === "go";
        if (isAllowed) allowed.add(prompt);
        if (isAllowed) agent.message(prompt);
        else agent.send({ jsonrpc: "2.0", id: prompt.id, result: { stopReason: "cancelled" } });
        return true;
      }
      if (message.method !== "session/prompt" || message.params?.prompt?.[0]?.text !== "hello") return false;
      if (allowed.has(message) || !agent.sessions.has(message.params.sessionId)) return false;
      const id = `before ${message.id}`;
      held.set(id, message);
      const options = [{ optionId: "go", name: "Go on", kind: "allow_once" }];
      const toolCall = { toolCallId: id, title: "Send the prompt to the model", kind: "fetch", status: "pending" };
      const params = { sessionId: message.params.sessionId, toolCall, options };
      agent.send({ jsonrpc: "2.0", id, method: "session/request_permission", params });
      return true;
    },
  };
};

/** Sends each permission request together with a second one, for another tool call. */
const requestsTwice: Mutation = {
  write(message) {
    if (message.method !== "session/request_permission") return undefined;
    const toolCallId = `second ${message.id}`;
    const call = { sessionUpdate: "tool_call", toolCallId, title: "Another tool", status: "pending" };
    const second = { ...message, id: toolCallId, params: { ...message.params, toolCall: { toolCallId } } };
    return [update(message.params.sessionId, call), message, second];
  },
  receive: (message) => !("method" in message) && String(message.id).startsWith("second "),
};

/** Offers options with unusual ids, in an unusual order. */
const oddOptions: Mutation = {
  write(message) {
    if (message.method !== "session/request_permission") return undefined;
    const options = [
      { optionId: "0", name: "Never", kind: "reject_always" },
      { optionId: "no", name: "No", kind: "reject_once", _meta: null },
      { optionId: "\u{1f44d} 1", name: "Yes", kind: "allow_once" },
      { optionId: "", name: "Always", kind: "allow_always" },
    ];
    return [{ ...message, params: { ...message.params, options } }];
  },
  receive: (message) => {
    const outcome = message.result?.outcome;
    if (outcome?.optionId === "\u{1f44d} 1" || outcome?.optionId === "") outcome.optionId = "yes";
    return false;
  },
};

/** Replays the messages of a session as whole messages, under new ids. */
const mergesHistory: Mutation = (() => {
  const loading = new WeakMap<RightAgent, Message[]>();
  return {
    receive: (message, agent) => (message.method === "session/load" && loading.set(agent, []), false),
    write(message, agent) {
      const held = loading.get(agent);
      if (!held) return undefined;
      const { update: sent } = message.params ?? {};
      if (sent === undefined) {
        loading.delete(agent);
        return [...held, message];
      }
      const last = held.at(-1)?.params.update;
      if (
        sent.content?.type === "text" &&
        last?.sessionUpdate === sent.sessionUpdate &&
        last.content?.type === "text"
      ) {
        last.content.text += sent.content.text;
        return [];
      }
      const copy = structuredClone(message);
      if (sent.messageId !== undefined) copy.params.update.messageId = `replayed-${held.length}`;
      held.push(copy);
      return [];
    },
  };
})();

/** Writes a session to its store only when it has a turn. */
const savesAfterFirstTurn: Mutation = {
  receive(message, agent) {
    const isSaved = (id: unknown): boolean => (agent.store.get(String(id))?.turns ?? 0) > 0;
    const { sessionId } = message.params ?? {};
    if (!["session/load", "session/resume"].includes(message.method) || isSaved(sessionId)) return false;
    const error = { code: -32002, message: "No such session", data: { sessionId } };
    agent.send({ jsonrpc: "2.0", id: message.id, error });
    return true;
  },
  write(message, agent) {
    if (!Array.isArray(message.result?.sessions)) return undefined;
    const sessions = message.result.sessions.filter(({ sessionId }: Message) => agent.store.get(sessionId)?.turns);
    return [{ ...message, result: { ...message.result, sessions } }];
  },
};

/** Refuses some requests for sessions that are open on the connection. */
const refusesOpenSessions = (methods: readonly string[]): Mutation => ({
  receive(message, agent) {
    if (!methods.includes(message.method) || !agent.sessions.has(message.params?.sessionId)) return false;
    agent.send({ jsonrpc: "2.0", id: message.id, error: { code: -32600, message: "The session is open" } });
    return true;
  },
});

/** Sends the last update of each tool call after the end of the turn. */
const finishesLate: Mutation = (() => {
  const held = new WeakMap<RightAgent, Message[]>();
  return {
    write(message, agent) {
      const { update: sent } = message.params ?? {};
      if (sent?.sessionUpdate === "tool_call_update" && sent.status === "completed") {
        held.set(agent, [...(held.get(agent) ?? []), message]);
        return [];
      }
      if (message.result?.stopReason !== "end_turn") return undefined;
      const late = held.get(agent) ?? [];
      held.delete(agent);
      return [message, ...late];
    },
  };
})();

/** Lists one session a page. The last page is empty. */
const listsPageByPage: Mutation = {
  receive(message, agent) {
    const cursor = message.params?.cursor;
    if (message.method !== "session/list" || (typeof cursor === "string" && !/^page \d+$/.test(cursor))) return false;
    const from = typeof cursor === "string" ? Number(cursor.slice(5)) : 0;
    const { cwd } = message.params ?? {};
    const all = [...agent.store.values()].filter((each) => typeof cwd !== "string" || each.cwd === cwd);
    const [session] = all.slice(from);
    const sessions = session ? [{ sessionId: session.id, cwd: session.cwd, title: null, updatedAt: null }] : [];
    const result = { sessions, nextCursor: session ? `page ${from + 1}` : null };
    agent.send({ jsonrpc: "2.0", id: message.id, result });
    return true;
  },
};

/** Responds to the requests that are open at the same time in the reverse order. */
const respondsInReverse: Mutation = (() => {
  const held = new WeakMap<RightAgent, Message[]>();
  return {
    write(message, agent) {
      if ("method" in message || message.id === null) return undefined;
      const responses = held.get(agent);
      if (responses) {
        responses.push(message);
        return [];
      }
      const first = [message];
      held.set(agent, first);
      setTimeout(() => {
        held.delete(agent);
        for (const each of first.reverse()) agent.raw(JSON.stringify(each));
      }, 5);
      return [];
    },
  };
})();

/** Writes lines with spaces, escapes and a carriage return before the newline. */
const spacious: Mutation = {
  write: (message) => {
    const spaced = JSON.stringify(message, undefined, 1).replace(/\n\s*/g, " ");
    const ascii = spaced.replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return [` ${ascii} \r`];
  },
};

/** Handles requests only after `initialize`: it keeps the earlier ones until then. */
const waitsForInitialize: Mutation = (() => {
  const early = new WeakMap<RightAgent, Message[]>();
  return {
    receive(message, agent) {
      if (message.method === "initialize") {
        const held = early.get(agent) ?? [];
        early.delete(agent);
        setImmediate(() => {
          for (const each of held) agent.message(each);
        });
        return false;
      }
      if (agent.initialized || !("method" in message)) return false;
      early.set(agent, [...(early.get(agent) ?? []), message]);
      return true;
    },
  };
})();

const optional = ["session/load", "session/list", "session/delete", "session/resume", "session/close", "logout"];

/**
 * Agents whose behaviour the kit once reported as a failure although it is legal, and agents with similar behaviour.
 */
export const legalAgents: readonly LegalAgent[] = [
  ...withHabits({
    "leaves a command running when its turn ends (TOOL-10)": {
      write: (message) =>
        message.params?.update?.sessionUpdate === "tool_call_update" && message.params.update.name === "search"
          ? []
          : undefined,
    },
    "reads mcpServers 5 as an empty list (SESS-33)": {
      receive: (message) => (
        message.method === "session/new" && message.params?.mcpServers === 5 && (message.params.mcpServers = []), false
      ),
    },
    "fails to set any option (CFG-15, CFG-18, CFG-20)": refuses(["session/set_config_option", "session/set_mode"], {
      code: -32603,
      message: "No model chosen",
    }),
    "refuses malformed optional members (INIT-22)": {
      receive: (message, agent) =>
        message.method === "initialize" && message.params.clientInfo === 5
          ? (agent.send({ jsonrpc: "2.0", id: message.id, error: { code: -32602, message: "Invalid params" } }), true)
          : false,
    },
    "responds to session/load with null, as the pages show it (SESS-17)": {
      write: (message, agent) =>
        isResult(message, "modes") && agent.store.size > 0 && !isResult(message, "sessionId")
          ? [{ jsonrpc: "2.0", id: message.id, result: null }]
          : undefined,
    },
    "starts slowly, but not too slowly": late("initialize", 80),
    "implements no optional part of the protocol": {
      ...refuses(optional, { code: -32601, message: "Method not found" }),
      ...results((result) => {
        if (result.protocolVersion !== undefined) {
          for (const name of ["agentCapabilities", "agentInfo", "authMethods"]) delete result[name];
        }
        for (const name of ["modes", "configOptions"]) delete result[name];
      }),
    },
    "sends updates outside of turns, and before the response to session/new": {
      write(message) {
        if (message.result?.sessionId !== undefined) {
          const commands = { sessionUpdate: "available_commands_update", availableCommands: [] };
          return [update(message.result.sessionId, commands), message, update(message.result.sessionId, commands)];
        }
        return undefined;
      },
    },
    "sends a message after the end of a turn": {
      write: (message, agent) =>
        message.result?.stopReason === "end_turn"
          ? [message, say([...agent.sessions.keys()].at(-1), "By the way …")]
          : undefined,
    },
    "writes its members in another order, with _meta everywhere": {
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
    "sends null for optional members": {
      write(message) {
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "tool_call" && sent?.sessionUpdate !== "agent_message_chunk") return undefined;
        return [{ ...message, params: { ...message.params, _meta: null, update: { ...sent, _meta: null } } }];
      },
    },
    "sends extension notifications": {
      write: (message) =>
        message.result?.agentInfo
          ? [message, { jsonrpc: "2.0", method: "_example.com/ready", params: { at: 1 } }]
          : undefined,
    },
    "gives its requests the ids of the client's requests, and uses an id again after its response": shortIds(),
    "sends unknown updates with _, notifications that begin with $/, and members in _meta, everywhere": {
      write: (message) =>
        message.method === "session/update"
          ? [
              { jsonrpc: "2.0", method: "$/progress", params: null },
              update(message.params.sessionId, { sessionUpdate: "_example.com/beat", at: 1 }),
              { ...message, params: { ...message.params, _meta: { "example.com/a": [] } } },
            ]
          : undefined,
    },
    "writes null for optional members of results": results((result) => {
      if (result.protocolVersion !== undefined) {
        result._meta = null;
        result.agentInfo.title = null;
        for (const name of ["list", "delete", "resume", "close", "additionalDirectories", "fork"])
          result.agentCapabilities.sessionCapabilities[name] ??= null;
      }
      if (result.sessionId !== undefined) (result.modes ??= null), (result.configOptions ??= null);
      if (result.sessions !== undefined) {
        result.nextCursor ??= null;
        for (const session of result.sessions)
          (session.title ??= null), (session.updatedAt ??= null), (session._meta = null);
      }
      if (result.stopReason !== undefined) (result._meta = null), (result.usage ??= null);
    }),
    "streams a greeting with a messageId from the response to session/new until a prompt arrives (MSG-04)": greets(),
    "announces the same tool call twice": {
      write: (message) =>
        message.params?.update?.sessionUpdate === "tool_call" ? [message, structuredClone(message)] : undefined,
    },
    "shows a terminal of its own in a tool call (CAP-15)": {
      write(message) {
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "tool_call" || sent.name !== "search") return undefined;
        const content = [{ type: "terminal", terminalId: "its-own" }];
        return [{ ...message, params: { ...message.params, update: { ...sent, content } } }];
      },
    },
    "has options that depend on each other (CFG-15, CFG-16)": results((result, _message, agent) => {
      const [session] = agent.sessions.values();
      if (!result.configOptions || session?.model !== "large") return;
      result.configOptions = result.configOptions.filter(({ id }: Message) => id !== "speed");
    }),
    "ends a rejected turn as cancelled (PROMPT-09)": {
      write: (message, agent) =>
        message.result?.stopReason === "end_turn" && (agent as Message).rejected
          ? [{ ...message, result: { stopReason: "cancelled" } }]
          : undefined,
      receive: (message, agent) => (
        message.result?.outcome?.optionId === "no" && ((agent as Message).rejected = true), false
      ),
    },
    "drops completed entries from its plan (PLAN-04)": {
      write(message) {
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "plan" || sent.entries[0].status !== "completed") return undefined;
        return [{ ...message, params: { ...message.params, update: { ...sent, entries: sent.entries.slice(1) } } }];
      },
    },
    "requests an e-mail address and a user name in a form (ELICIT-25)": {
      write(message) {
        if (message.method !== "elicitation/create" || message.params.mode !== "form") return undefined;
        const text = "We never ask for your password here. Please enter your e-mail address.";
        return [{ ...message, params: { ...message.params, message: text } }];
      },
    },
    "ends its long turns soon (CANCEL-06, SESS-27)": {
      receive(message, agent) {
        const { sessionId, prompt } = message.params ?? {};
        if (message.method !== "session/prompt" || !prompt?.[0]?.text?.startsWith("/slow")) return false;
        const content = { type: "text", text: "That is all." };
        agent.send(update(sessionId, { sessionUpdate: "agent_message_chunk", content }));
        setImmediate(() => agent.send({ jsonrpc: "2.0", id: message.id, result: { stopReason: "end_turn" } }));
        return true;
      },
    },
    "ends a turn by itself just before it reads the cancel (CANCEL-06, SESS-27)": endsByItself(
      { result: { stopReason: "end_turn" } },
      "at its stop",
    ),
    "ends a turn with an error just before it reads the cancel (CANCEL-07, CANCEL-10, CANCEL-24)": endsByItself(
      { error: { code: -32603, message: "The model is overloaded" } },
      "at its stop",
    ),
    "writes the end of its long turn after it has read a cancel that arrived too late (CANCEL-06)": endsByItself(
      { result: { stopReason: "end_turn" } },
      "after its stop",
    ),
    "writes the failure of its long turn after it has read a cancel that arrived too late (CANCEL-07)": endsByItself(
      { error: { code: -32603, message: "The model is overloaded" } },
      "after its stop",
    ),
    "waits for the user only for a short time, and then ends the turn with or without a cancel (CANCEL-06, SESS-27)":
      givesUpWaiting(100),
    "runs a command in the background and ends the turn before its exit (CANCEL-06)": runsInBackground,
    "keeps its terminals until the next prompt (TERM-13)": releasesLate,
    "fails every login (AUTH-06)": refuses(["authenticate"], { code: -32603, message: "No browser" }),
    "has a handler for every extension request, and responds with a result (EXT-05)": {
      receive: (message, agent) =>
        message.method?.startsWith("_") && "id" in message
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: { echoed: message.params } }), true)
          : false,
    },
    "has one session at a time": {
      receive: (message, agent) =>
        message.method === "session/new" && agent.sessions.size > 0
          ? (agent.send({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "Close the other one" } }),
            true)
          : false,
    },
    "starts a prompt that arrives during a turn after that turn": queuesPrompts(),
    "ends the running turn when another prompt arrives": interruptsTurns,
    "requests a permission before each turn": requestsBeforeEachTurn(),
    "sends two permission requests at once": requestsTwice,
    "offers permission options with unusual ids and in an unusual order": oddOptions,
    "merges the messages of a replayed history": mergesHistory,
    "saves a session only when it has a turn": savesAfterFirstTurn,
    "lists one session a page, and an empty last page": listsPageByPage,
    "refuses to load or resume a session that is open": refusesOpenSessions(["session/load", "session/resume"]),
    "refuses to delete a session that is open": refusesOpenSessions(["session/delete"]),
    "lists the real path of a working directory": results((result) => {
      for (const session of result.sessions ?? []) session.cwd = `/private${session.cwd}`;
    }),
    "exits after a logout": {
      receive: (message, agent) =>
        message.method === "logout"
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: {} }), setImmediate(() => agent.exit(0)), true)
          : false,
    },
    "sends the last update of a tool call after its turn": finishesLate,
    "responds to simultaneous requests in the reverse order": respondsInReverse,
    "writes lines with spaces, escapes and carriage returns": spacious,
    "keeps requests that arrive before initialize until it is initialized": waitsForInitialize,
    "ends its turns with max_tokens": {
      write: (message) =>
        message.result?.stopReason === "end_turn" ? [{ ...message, result: { stopReason: "max_tokens" } }] : undefined,
    },
    "sends tool calls with only an id and a title": {
      write(message) {
        const { update: sent } = message.params ?? {};
        if (sent?.sessionUpdate !== "tool_call") return undefined;
        const { sessionUpdate, toolCallId, title } = sent;
        return [{ ...message, params: { ...message.params, update: { sessionUpdate, toolCallId, title } } }];
      },
    },
    "announces no tool call before its permission request": {
      write: (message) => (message.params?.update?.toolCallId !== undefined ? [] : undefined),
    },
    "sends the prompt back as a message of the user": {
      receive(message, agent) {
        const { sessionId, prompt } = message.params ?? {};
        if (message.method !== "session/prompt" || !agent.sessions.has(sessionId) || !Array.isArray(prompt))
          return false;
        for (const content of prompt) {
          if (content.type === "text") agent.send(update(sessionId, { sessionUpdate: "user_message_chunk", content }));
        }
        return false;
      },
    },
    "has empty lists of login methods and options, and no modes": results((result) => {
      if (result.authMethods) result.authMethods = [];
      if (result.configOptions) result.configOptions = [];
      delete result.modes;
    }),
    "sends no messages in its turns": {
      write: (message) => (message.params?.update?.sessionUpdate === "agent_message_chunk" ? [] : undefined),
    },
  }),
  {
    habit: "does not end soon after the end of its input (TRANS-12)",
    mutation: { immortal: true },
    limits: { exitGraceMs: 30 },
  },
  {
    habit: "needs a login for every session",
    mutation: refuses(["session/new"], { code: -32000, message: "Authentication required" }),
    verdict: "inconclusive",
    reason: "A login is needed",
  },
  {
    habit: "exits immediately because a setting is missing",
    mutation: { receive: (_, agent) => (agent.exit(1), true) },
    verdict: "inconclusive",
    reason: "The agent's process ends immediately (exit code 1)",
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
    mutation: late("session/new", 1_500),
    limits: { requestTimeoutMs: 750 }, // other responses are quicker, also on a busy machine
    verdict: "inconclusive",
    reason: "Too slow for these limits:",
  },
  {
    habit: "responds to a plain prompt quickly, and to every other prompt slowly",
    mutation: late("session/prompt", 60_000, ({ params }) => params?.prompt?.[0]?.text !== "hello"),
    limits: { turnTimeoutMs: 1_500, lateResponseTimeoutMs: 1_000 },
  },
  {
    habit: "sets modes slowly, and does everything else quickly",
    mutation: late("session/set_mode", 60_000),
    limits: { requestTimeoutMs: 1_500, lateResponseTimeoutMs: 1_000 },
  },
  {
    habit: "sets one of its options slowly, and the others quickly",
    mutation: late("session/set_config_option", 60_000, ({ params }) => params?.configId === "model"),
    limits: { requestTimeoutMs: 1_500, lateResponseTimeoutMs: 1_000 },
  },
  {
    habit: "needs a long time to end a cancelled turn",
    mutation: cancelsSlowly(60_000),
    limits: { turnTimeoutMs: 1_500, lateResponseTimeoutMs: 1_000 },
  },
  {
    habit: "supports only version 2",
    mutation: results((result) => {
      if (result.protocolVersion !== undefined) result.protocolVersion = 2;
    }),
    verdict: "inconclusive",
    reason: "The agent uses version 2",
  },
];
