import type { Message, Mutation, RightAgent } from "./right-agent.js";

/** An agent with one mistake, and the check that must detect the mistake. */
export interface WrongAgent {
  /** The scenario or the watch that must fail. */
  readonly fails: string;
  /** Further checks that detect the same mistake. */
  readonly also?: readonly string[];
  /** Prefixes of the scenarios that run in addition to the scenarios `tour/…`. @defaultValue the area of `fails` */
  readonly areas?: readonly string[];
  readonly mutation: Mutation;
}

/** Creates agents with one mistake each: the check that must detect it, and the mistake. */
export const failing = (mutations: Readonly<Record<string, Mutation>>): WrongAgent[] =>
  Object.entries(mutations).map(([fails, mutation]) => ({ fails, mutation }));

export type Change = (message: Message, agent: RightAgent) => void;

export const isPrompt = (message: Message, text: string): boolean =>
  message.method === "session/prompt" && message.params?.prompt?.[0]?.text?.startsWith(text) === true;

/** Replaces the response to a request. */
export const responds = (
  method: string,
  reply: Message | ((message: Message, agent: RightAgent) => Message | undefined),
): Mutation => ({
  receive(message, agent) {
    if (message.method !== method || !("id" in message)) return false;
    const made = typeof reply === "function" ? reply(message, agent) : reply;
    if (!made) return false;
    agent.send({ jsonrpc: "2.0", id: message.id, ...made });
    return true;
  },
});

/** Changes every message of a kind before it is written. */
export const changes = (wanted: (message: Message) => boolean, change: Change): Mutation => ({
  write(message, agent) {
    if (!wanted(message)) return undefined;
    const copy = structuredClone(message);
    change(copy, agent);
    return [copy];
  },
});

export const isUpdate =
  (...tags: readonly string[]) =>
  (message: Message): boolean =>
    message.method === "session/update" && tags.includes(message.params.update.sessionUpdate);

export const isCall =
  (method: string) =>
  (message: Message): boolean =>
    message.method === method;

export const isResult =
  (name: string) =>
  (message: Message): boolean =>
    message.result !== undefined && message.result?.[name] !== undefined;

/** Changes updates of a kind. */
export const update = (tag: string, change: (update: Message) => void): Mutation =>
  changes(isUpdate(tag), ({ params }) => change(params.update));

/** Writes further messages after each message of a kind. */
export const adds = (
  wanted: (message: Message) => boolean,
  more: (message: Message, agent: RightAgent) => readonly (Message | string)[],
): Mutation => ({
  write: (message, agent) => (wanted(message) ? [message, ...more(message, agent)] : undefined),
});

export const once = (mutation: Mutation): Mutation => {
  const done = new WeakSet<RightAgent>();
  return {
    write(message, agent) {
      if (done.has(agent)) return undefined;
      const made = mutation.write?.(message, agent);
      if (made) done.add(agent);
      return made;
    },
  };
};

/** Replaces the agent's actions after a prompt. */
export const plays = (text: string, play: (message: Message, agent: RightAgent) => void | Promise<void>): Mutation => ({
  receive(message, agent) {
    if (!isPrompt(message, text)) return false;
    void play(message, agent);
    return true;
  },
});

/**
 * Makes the agent read files through clients that do not advertise `fs.readTextFile`, if `wanted` returns `true` for
 * their capabilities.
 */
export const reads = (wanted: (client: Message) => boolean): Mutation => ({
  receive: (message, agent) => (
    isPrompt(message, "/read") &&
      wanted(agent.client) &&
      (agent.client = { ...agent.client, fs: { ...agent.client.fs, readTextFile: true } }),
    false
  ),
});

export const ok = (message: Message): Message => ({
  jsonrpc: "2.0",
  id: message.id,
  result: { stopReason: "end_turn" },
});

export const said = (message: Message, update: Message): Message => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: message.params.sessionId, update },
});

export const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "late" } };

export const failed = { error: { code: -32603, message: "No" } };

export const exitsAt = (text: string): Mutation => ({
  receive: (message, agent) => isPrompt(message, text) && (agent.exit(1), true),
});

/** An agent that breaks one rule. Mutants cover rules that no agent in {@link wrongAgents} breaks. */
export interface Mutant {
  readonly rule: string;
  /** The agent's behaviour, as the end of the sentence "an agent that …". */
  readonly does: string;
  /** The scenarios, watches or areas that must report the mistake. */
  readonly shows: readonly string[];
  readonly mutation: Mutation;
}

export function stopAll(agent: RightAgent): void {
  for (const { stop } of agent.sessions.values()) stop?.();
}

/** Records the mode of the open elicitation. */
export function noteMode(message: Message, agent: RightAgent): undefined {
  if (message.method === "elicitation/create") (agent as Message).mode = message.params.mode;
  return undefined;
}
