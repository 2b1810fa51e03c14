// biome-ignore-all lint/complexity/noCommaOperator: a table of mistakes: each expression changes a message, then returns whether to drop it
// biome-ignore-all lint/suspicious/noAssignInExpressions: the same
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

type Change = (message: Message, agent: RightAgent) => void;

const isPrompt = (message: Message, text: string): boolean =>
  message.method === "session/prompt" && message.params?.prompt?.[0]?.text?.startsWith(text) === true;

/** Replaces the response to a request. */
const responds = (
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
const changes = (wanted: (message: Message) => boolean, change: Change): Mutation => ({
  write(message, agent) {
    if (!wanted(message)) return undefined;
    const copy = structuredClone(message);
    change(copy, agent);
    return [copy];
  },
});

const isUpdate =
  (...tags: readonly string[]) =>
  (message: Message): boolean =>
    message.method === "session/update" && tags.includes(message.params.update.sessionUpdate);
const isCall =
  (method: string) =>
  (message: Message): boolean =>
    message.method === method;
const isResult =
  (name: string) =>
  (message: Message): boolean =>
    message.result !== undefined && message.result?.[name] !== undefined;

/** Changes updates of a kind. */
const update = (tag: string, change: (update: Message) => void): Mutation =>
  changes(isUpdate(tag), ({ params }) => change(params.update));

/** Writes further messages after each message of a kind. */
const adds = (
  wanted: (message: Message) => boolean,
  more: (message: Message, agent: RightAgent) => readonly (Message | string)[],
): Mutation => ({
  write: (message, agent) => (wanted(message) ? [message, ...more(message, agent)] : undefined),
});

const once = (mutation: Mutation): Mutation => {
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
const plays = (text: string, play: (message: Message, agent: RightAgent) => void | Promise<void>): Mutation => ({
  receive(message, agent) {
    if (!isPrompt(message, text)) return false;
    void play(message, agent);
    return true;
  },
});

/** Makes the agent read files through clients that do not advertise `fs.readTextFile`, if `wanted` returns `true` for their capabilities. */
const reads = (wanted: (client: Message) => boolean): Mutation => ({
  receive: (message, agent) => (
    isPrompt(message, "/read") &&
      wanted(agent.client) &&
      (agent.client = { ...agent.client, fs: { ...agent.client.fs, readTextFile: true } }),
    false
  ),
});

const ok = (message: Message): Message => ({ jsonrpc: "2.0", id: message.id, result: { stopReason: "end_turn" } });
const said = (message: Message, update: Message): Message => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: message.params.sessionId, update },
});
const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "late" } };
const failed = { error: { code: -32603, message: "No" } };
const exitsAt = (text: string): Mutation => ({
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

/** The mistakes that the kit once did not report, or reported only as advice. */
export const mutants: readonly Mutant[] = [
  {
    rule: "UPD-01",
    does: "sends session/update as a request",
    shows: ["prompt/text", "watch/schema/updates"],
    mutation: changes(isUpdate("agent_message_chunk"), (message) => (message.id = 70_001)),
  },
  {
    rule: "ELICIT-23",
    does: "treats a declined page as accepted",
    shows: ["elicitation/url-decline"],
    mutation: {
      receive: (message) => (message.result?.action === "decline" && (message.result.action = "accept"), false),
    },
  },
  {
    rule: "ELICIT-24",
    does: "treats an unknown action as accept",
    shows: ["elicitation/url-unknown-action"],
    mutation: {
      receive: (message) => (message.result?.action?.startsWith("_") && (message.result.action = "accept"), false),
    },
  },
  {
    rule: "ELICIT-25",
    does: "requests a secret in the message of a form",
    shows: ["elicitation/form-accept", "watch/elicitation-forms"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => (params.message = "Please enter your API key.")),
  },
  {
    rule: "CFG-15",
    does: "drops one of several options",
    shows: ["options/set"],
    mutation: changes(
      (message) => message.result?.configOptions !== undefined && message.result.sessionId === undefined,
      ({ result }) => (result.configOptions = result.configOptions.filter(({ id }: Message) => id !== "speed")),
    ),
  },
  {
    rule: "PERM-07",
    does: "writes the file although the user rejected it",
    shows: ["permission/rejected"],
    mutation: {
      receive: (message) => (
        message.result?.outcome?.optionId === "no" && (message.result.outcome.optionId = "yes"), false
      ),
    },
  },
  {
    rule: "PERM-07",
    does: "writes the file although the request was cancelled",
    shows: ["permission/cancelled"],
    mutation: {
      receive: (message) => (
        message.result?.outcome?.outcome === "cancelled" &&
          (message.result.outcome = { outcome: "selected", optionId: "yes" }),
        false
      ),
    },
  },
  {
    rule: "RPC-04",
    does: "never responds to a prompt that overlaps another",
    shows: ["prompt/overlapping"],
    mutation: {
      receive: (message, agent) =>
        message.method === "session/prompt" && agent.sessions.get(message.params.sessionId)?.stop !== undefined,
    },
  },
  {
    rule: "TOOL-02",
    does: "uses the id of an ended tool call for another one",
    shows: ["tour/tools", "watch/tool-call-ids"],
    mutation: adds(
      (message) => isUpdate("tool_call_update")(message) && message.params.update.name === "search",
      (message) => [
        said(message, { sessionUpdate: "tool_call", toolCallId: message.params.update.toolCallId, title: "Another" }),
      ],
    ),
  },
  {
    rule: "RPC-05",
    does: "responds to a notification",
    shows: ["json-rpc/notifications"],
    mutation: {
      receive: (message, agent) =>
        message.method === "$/conformance"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "?" } }), true)
          : false,
    },
  },
  {
    rule: "RPC-03",
    does: "responds with a result and an error",
    shows: ["prompt/text", "watch/kinds-of-messages"],
    mutation: changes(
      (message) => message.result?.stopReason === "end_turn",
      (message) => (message.error = { code: 1, message: "Both" }),
    ),
  },
  {
    rule: "INIT-11",
    does: "responds with a version that is a string",
    shows: ["initialize/agrees-on-version-1"],
    mutation: changes(isResult("protocolVersion"), ({ result }) => (result.protocolVersion = "1")),
  },
  {
    rule: "INIT-18",
    does: "opens sessions only for clients that advertise a capability",
    shows: ["initialize/client-that-offers-nothing"],
    mutation: responds("session/new", (_, agent) => (Object.keys(agent.client).length === 0 ? failed : undefined)),
  },
  {
    rule: "SESS-14",
    does: "loads a session without its history",
    shows: ["session/load"],
    mutation: responds("session/load", { result: {} }),
  },
  {
    rule: "SESS-15",
    does: "responds to session/load before it has replayed the history",
    shows: ["session/load"],
    mutation: {
      receive(message, agent) {
        const session = message.method === "session/load" && agent.store.get(message.params.sessionId);
        if (!session) return false;
        agent.sessions.set(session.id, session);
        agent.send({ jsonrpc: "2.0", id: message.id, result: agent.state(session) });
        for (const each of session.history) agent.send(said(message, each));
        return true;
      },
    },
  },
  {
    rule: "LIST-05",
    does: "lists sessions in an object",
    shows: ["session/list"],
    mutation: changes(isResult("sessions"), ({ result }) => (result.sessions = {})),
  },
  {
    rule: "TOOL-12",
    does: "shows a diff with a relative path",
    shows: ["tour/tools", "watch/tool-call-paths"],
    mutation: update("tool_call", (call) => (call.content = [{ type: "diff", path: "relative", newText: "" }])),
  },
  {
    rule: "COMPACT-02",
    does: "uses the id of a compaction again",
    shows: ["tour/compaction", "watch/compaction-order"],
    mutation: adds(isUpdate("compaction_update"), (message) =>
      message.params.update.status === "completed"
        ? [said(message, { ...message.params.update, status: "in_progress" })]
        : [],
    ),
  },
  {
    rule: "ELICIT-03",
    does: "sends an elicitation without a mode",
    shows: ["elicitation/form-accept", "watch/schema/elicitations"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => delete params.mode),
  },
  {
    rule: "ELICIT-06",
    does: "sends an elicitation of the mode url without a URL",
    shows: ["elicitation/url-accept", "watch/schema/elicitations"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => delete params.url),
  },
  {
    rule: "ELICIT-09",
    does: "sends a form with an object as a property",
    shows: ["elicitation/form-accept", "watch/elicitation-forms"],
    mutation: changes(
      isCall("elicitation/create"),
      ({ params }) => (params.requestedSchema.properties.address = { type: "object" }),
    ),
  },
  {
    rule: "ELICIT-30",
    does: "uses the id of an open page again, in the same write",
    shows: ["elicitation/url-accept", "watch/elicitation-urls"],
    mutation: {
      // One write, so that the second request is on the wire before the response to the first one.
      write: (message) =>
        isCall("elicitation/create")(message)
          ? [`${JSON.stringify(message)}\n${JSON.stringify({ ...message, id: 70_002 })}`]
          : undefined,
    },
  },
  {
    rule: "CANCEL-18",
    does: "never responds to a request that $/cancel_request cancelled",
    shows: ["cancel/request"],
    mutation: {
      receive: (message, agent) => (
        message.method === "$/cancel_request" && ((agent as Message).dropped = message.params.requestId), false
      ),
      write: (message, agent) => (message.id === (agent as Message).dropped && "result" in message ? [] : undefined),
    },
  },
  {
    rule: "CANCEL-06",
    does: "ends a cancelled turn with end_turn",
    shows: ["cancel/running-turn"],
    mutation: changes(
      (message) => message.result?.stopReason === "cancelled",
      ({ result }) => (result.stopReason = "end_turn"),
    ),
  },
  {
    rule: "CANCEL-07",
    does: "ends a cancelled turn with an error",
    shows: ["cancel/running-turn"],
    mutation: {
      write: (message) =>
        message.result?.stopReason === "cancelled" ? [{ jsonrpc: "2.0", id: message.id, ...failed }] : undefined,
    },
  },
];

/** One wrong agent for each scenario and each watch. */
export const wrongAgents: readonly WrongAgent[] = [
  // initialize
  {
    fails: "initialize/agrees-on-version-1",
    mutation: responds("initialize", ({ params }) =>
      params.protocolVersion === 1 &&
      params.clientInfo === undefined &&
      Object.keys(params.clientCapabilities ?? { x: 1 }).length === 0
        ? { result: { protocolVersion: 2, agentInfo: { name: "x", version: "1" } } }
        : undefined,
    ),
  },
  {
    fails: "initialize/unsupported-version",
    mutation: responds("initialize", ({ params }) => (params.protocolVersion === 1 ? undefined : failed)),
  },
  {
    fails: "initialize/names-itself",
    mutation: changes(isResult("agentInfo"), ({ result }) => delete result.agentInfo),
  },
  {
    fails: "initialize/client-that-offers-nothing",
    mutation: responds("initialize", ({ params }) => (params.clientCapabilities === undefined ? failed : undefined)),
  },
  {
    fails: "initialize/unknown-members",
    mutation: responds("initialize", ({ params }) => ("zzz" in params ? failed : undefined)),
  },
  {
    fails: "initialize/malformed-optional-members",
    mutation: responds("initialize", ({ params }) => (params.clientInfo === 5 ? failed : undefined)),
  },
  {
    fails: "initialize/twice",
    mutation: {
      receive: (message, agent) =>
        message.method === "initialize" && agent.initialized
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: { protocolVersion: 1 } }),
            (agent.initialized = false),
            true)
          : false,
    },
  },
  {
    fails: "initialize/before-anything-else",
    mutation: { receive: (message, agent) => ((agent.initialized ||= message.method === "session/new"), false) },
  },
  {
    fails: "initialize/login-methods",
    mutation: changes(isResult("authMethods"), ({ result }) => result.authMethods.push(result.authMethods[0])),
  },
  // JSON-RPC
  {
    fails: "json-rpc/ids",
    also: ["watch/answers"],
    mutation: changes(
      (message) => message.id === "7" && "error" in message,
      (message) => (message.id = 7),
    ),
  },
  {
    fails: "json-rpc/notifications",
    mutation: {
      receive: (message, agent) =>
        message.method === "conformance/unknown"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "?" } }), true)
          : false,
    },
  },
  { fails: "json-rpc/unknown-method", mutation: responds("no/such", failed) },
  {
    fails: "json-rpc/unknown-extension",
    mutation: { receive: ({ method }) => method?.startsWith("_acp-kit.invalid/") === true },
  },
  {
    fails: "json-rpc/positional-params",
    mutation: {
      receive: (message) => (
        Array.isArray(message.params) && (message.params = { cwd: message.params[0], mcpServers: [] }), false
      ),
    },
  },
  {
    fails: "json-rpc/stray-response",
    mutation: {
      receive: (message, agent) =>
        message.id === "ghost"
          ? (agent.send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "?" } }), true)
          : false,
    },
  },
  {
    fails: "json-rpc/not-json",
    mutation: changes(
      (message) => message.error?.code === -32700,
      ({ error }) => (error.code = -32603),
    ),
  },
  {
    fails: "json-rpc/not-a-request",
    mutation: { write: (message) => (message.error?.code === -32600 && message.id === null ? [] : undefined) },
  },
  { fails: "json-rpc/batch", mutation: { receiveLine: (line, agent) => line.startsWith("[") && (agent.ended = true) } },
  {
    fails: "json-rpc/errors-end-nothing",
    mutation: {
      receive: (message, agent) =>
        message.method === "session/new" && message.params.cwd === 5
          ? ((agent.loggedOut = true), (agent.initialized = false), false)
          : false,
    },
  },
  {
    fails: "json-rpc/while-a-turn-runs",
    mutation: {
      receive: (message, agent) =>
        message.method === "session/new" && [...agent.sessions.values()].some(({ stop }) => stop !== undefined),
    },
  },
  // transport
  { fails: "transport/fragments", mutation: { receive: (message) => message.id === "many-19" } },
  { fails: "transport/blank-lines", mutation: { receive: (message) => message.id === "crlf" } },
  { fails: "transport/big-message", mutation: { receive: (message) => message.id === "big" } },
  { fails: "transport/end-of-input", mutation: { immortal: true } },
  {
    fails: "transport/text-round-trip",
    also: ["watch/one-line-per-message"],
    mutation: {
      receive: (message, agent) =>
        message.params?.prompt?.[0]?.text?.includes("\u2028")
          ? (agent.raw('{"torn":"'), agent.raw('"}'), false)
          : false,
    },
  },
  // capabilities
  {
    fails: "capabilities/advertised-methods",
    mutation: responds("session/delete", { error: { code: -32601, message: "Method not found" } }),
  },
  {
    fails: "capabilities/other-methods",
    mutation: changes(
      isResult("agentCapabilities"),
      ({ result }) => delete result.agentCapabilities.sessionCapabilities.list,
    ),
  },
  {
    fails: "capabilities/client-with-nothing",
    also: ["watch/capabilities/read-files"],
    mutation: {
      receive: (message, agent) => (
        isPrompt(message, "/read") && Object.keys(agent.client).length === 0
          ? (agent.client = { fs: { readTextFile: true } })
          : 0,
        false
      ),
    },
  },
  {
    fails: "capabilities/client-with-writing-and-pages",
    also: ["watch/capabilities/read-files"],
    mutation: reads(({ fs }) => fs?.writeTextFile === true && fs.readTextFile === false),
  },
  {
    fails: "capabilities/client-with-reading-and-forms",
    also: ["watch/capabilities/write-files"],
    mutation: {
      receive: (message, agent) => (
        isPrompt(message, "/write") &&
          agent.client.fs?.readTextFile === true &&
          agent.client.fs.writeTextFile === undefined &&
          (agent.client.fs.writeTextFile = true),
        false
      ),
    },
  },
  {
    fails: "capabilities/client-with-empty-groups",
    also: ["watch/capabilities/forms"],
    mutation: {
      receive: (message, agent) => (
        isPrompt(message, "/form") && agent.client.elicitation?.form === null && (agent.client.elicitation.form = {}),
        false
      ),
    },
  },
  { fails: "capabilities/login", also: ["watch/schema/login"], mutation: responds("authenticate", { result: null }) },
  { fails: "capabilities/logout", mutation: responds("logout", { result: {} }) },
  // sessions
  {
    fails: "session/unique-ids",
    mutation: changes(
      (message) => message.result?.sessionId !== undefined,
      ({ result }, agent) => (result.sessionId = [...agent.sessions.keys()][0]),
    ),
  },
  {
    fails: "session/malformed-params",
    mutation: {
      receive: (message) => (
        message.method === "session/new" && message.params.cwd === 5 && (message.params.cwd = "/"), false
      ),
    },
  },
  {
    fails: "session/null-lists",
    mutation: responds("session/new", ({ params }) => (params.mcpServers === null ? failed : undefined)),
  },
  {
    fails: "session/unknown",
    mutation: responds("session/prompt", ({ params }) =>
      params.sessionId === "conformance-no-such-session" ? { result: { stopReason: "end_turn" } } : undefined,
    ),
  },
  {
    fails: "session/cwd",
    mutation: changes(
      isCall("fs/write_text_file"),
      ({ params }) => (params.path = params.path.replace("/elsewhere/", "/work/")),
    ),
  },
  {
    fails: "session/load",
    mutation: { write: (message) => (isUpdate("user_message_chunk")(message) ? [] : undefined) },
  },
  {
    fails: "session/load-unknown",
    mutation: responds("session/load", ({ params }) =>
      params.sessionId.startsWith("0000") ? { result: {} } : undefined,
    ),
  },
  {
    fails: "session/resume",
    mutation: {
      receive: (message, agent) => (message.method === "session/resume" && agent.send(said(message, chunk)), false),
    },
  },
  {
    fails: "session/close",
    mutation: responds("session/close", () => ({ result: {} })),
    also: ["session/close-running"],
  },
  {
    fails: "session/close-running",
    mutation: {
      receive: (message, agent) =>
        message.method === "session/close" && agent.sessions.get(message.params.sessionId)?.stop
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: {} }), true)
          : false,
    },
  },
  {
    fails: "session/additional-directories",
    mutation: {
      receive: (message) => (
        Array.isArray(message.params?.additionalDirectories) &&
          message.params.additionalDirectories[0] === "relative" &&
          (message.params.additionalDirectories = []),
        false
      ),
    },
  },
  {
    fails: "session/list",
    mutation: {
      receive: (message) => (
        message.method === "session/list" && typeof message.params?.cwd === "string" && (message.params = {}), false
      ),
    },
  },
  {
    fails: "session/list-bad-cursor",
    mutation: {
      receive: (message) => (
        message.method === "session/list" && (message.params = { ...message.params, cursor: null }), false
      ),
    },
  },
  {
    fails: "session/delete",
    mutation: responds("session/delete", ({ params }) => (params.sessionId.startsWith("0000") ? failed : undefined)),
  },
  {
    fails: "session/mcp-server",
    mutation: {
      receive: (message) => (
        message.method === "session/new" &&
          Array.isArray(message.params?.mcpServers) &&
          (message.params.mcpServers = []),
        false
      ),
    },
  },
  // turns
  {
    fails: "prompt/text",
    areas: ["prompt/text"],
    mutation: {
      write: (message) =>
        isUpdate("agent_message_chunk")(message) && message.params.update.content.text === "hello" ? [] : undefined,
    },
  },
  {
    fails: "prompt/resource-link",
    mutation: responds("session/prompt", ({ params }) =>
      params.prompt.some(({ type }: Message) => type === "resource_link") ? failed : undefined,
    ),
  },
  {
    fails: "prompt/advertised-blocks",
    mutation: responds("session/prompt", ({ params }) =>
      params.prompt.some(({ type }: Message) => type === "image")
        ? { error: { code: -32602, message: "No images" } }
        : undefined,
    ),
  },
  {
    fails: "prompt/unknown-block",
    mutation: {
      receive: (message) => (message.params?.prompt?.[0]?.type === "hologram" && (message.params.prompt = []), false),
    },
  },
  {
    fails: "prompt/empty",
    mutation: { receive: (message, agent) => message.params?.prompt?.length === 0 && (agent.exit(1), true) },
  },
  {
    fails: "prompt/two-turns",
    areas: ["prompt/two-turns"],
    mutation: responds("session/prompt", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.turns === 1 ? failed : undefined,
    ),
  },
  {
    fails: "prompt/overlapping",
    mutation: {
      receive: (message, agent) =>
        message.method === "session/prompt" && agent.sessions.get(message.params.sessionId)?.stop !== undefined,
    },
  },
  {
    fails: "prompt/two-sessions",
    areas: ["prompt/two-sessions"],
    also: ["watch/updates-before-the-answer"],
    mutation: changes(
      isUpdate("agent_message_chunk"),
      ({ params }, agent) => (params.sessionId = [...agent.sessions.keys()][0]),
    ),
  },
  { fails: "prompt/failure", mutation: plays("/error", (message, agent) => agent.send(ok(message))) },
  // cancellation
  {
    fails: "cancel/running-turn",
    areas: ["cancel/running-turn"],
    mutation: changes(
      (message) => message.result?.stopReason === "cancelled",
      ({ result }) => (result.stopReason = "end_turn"),
    ),
  },
  {
    fails: "cancel/at-once",
    areas: ["cancel/at-once"],
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "cancelled" && [...agent.sessions.values()][0]?.turns === 2
          ? [{ jsonrpc: "2.0", id: message.id, ...failed }]
          : undefined,
    },
  },
  {
    fails: "cancel/while-asking",
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "cancelled" && [...agent.sessions.values()].some(({ calls }) => calls > 0)
          ? [{ jsonrpc: "2.0", id: message.id, ...failed }]
          : undefined,
    },
  },
  {
    fails: "cancel/idle-session",
    mutation: {
      receive(message, agent) {
        const session = agent.sessions.get(message.params?.sessionId);
        if (
          message.method === "session/cancel" &&
          session?.stop === undefined &&
          message.params?.sessionId !== "no-such-session"
        )
          (agent as Message).doomed = true;
        if (message.method !== "session/prompt" || !(agent as Message).doomed) return false;
        agent.send({ jsonrpc: "2.0", id: message.id, result: { stopReason: "cancelled" } });
        return true;
      },
    },
  },
  {
    fails: "cancel/one-of-two-sessions",
    mutation: {
      receive: (message, agent) => (message.method === "session/cancel" && stopAll(agent), false),
    },
  },
  {
    fails: "cancel/request",
    mutation: {
      receive(message, agent) {
        if (
          message.method !== "$/cancel_request" ||
          message.params.requestId === 999_999 ||
          typeof message.params.requestId !== "number"
        )
          return false;
        agent.send({ jsonrpc: "2.0", id: message.params.requestId, ...failed });
        const [session] = agent.sessions.values();
        if (session) delete session.stop;
        return true;
      },
    },
  },
  {
    fails: "cancel/request-of-another-type",
    mutation: {
      receive: (message, agent) => (
        message.method === "$/cancel_request" && typeof message.params.requestId === "string" && stopAll(agent), false
      ),
    },
  },
  // requests to the client
  {
    fails: "permission/allowed",
    mutation: {
      write: (message, agent) =>
        isUpdate("tool_call_update")(message) && message.params.update.status === "in_progress" && agent.client.terminal
          ? []
          : undefined,
    },
  },
  ...(["rejected", "cancelled", "unknown-option"] as const).map(
    (id): WrongAgent => ({
      fails: `permission/${id}`,
      mutation: {
        receive(message) {
          const { outcome } = message.result ?? {};
          const was =
            outcome?.optionId === "no"
              ? "rejected"
              : outcome?.outcome === "cancelled"
                ? "cancelled"
                : outcome?.optionId === "yes"
                  ? ""
                  : "unknown-option";
          if (outcome && was === id) outcome.optionId = "yes";
          return false;
        },
      },
    }),
  ),
  {
    fails: "files/read",
    also: ["watch/paths-for-the-client"],
    mutation: changes(
      isCall("fs/read_text_file"),
      ({ params }, agent) => [...agent.sessions.values()][0]?.turns === 1 && (params.path = `.${params.path}`),
    ),
    areas: ["files/read", "files/write"],
  },
  { fails: "files/read-fails", mutation: { receive: (message) => message.error?.code === 1234 } },
  {
    fails: "files/write",
    also: ["watch/schema/files"],
    mutation: changes(isCall("fs/write_text_file"), ({ params }) => (params.sessionId = 5)),
  },
  {
    fails: "terminals/released",
    areas: ["terminals/released"],
    also: ["terminals/released-after-cancel"],
    mutation: { write: (message) => (message.method === "terminal/release" ? [] : undefined) },
  },
  {
    fails: "terminals/released-after-cancel",
    mutation: {
      write: (message, agent) =>
        message.method === "terminal/release" && (agent as Message).cancelled ? [] : undefined,
      receive: (message, agent) => (
        message.method === "session/cancel" && ((agent as Message).cancelled = true), false
      ),
    },
  },
  { fails: "terminals/refused", mutation: { receive: (message) => message.error?.message === "No more terminals" } },
  ...(["form", "url"] as const).flatMap((mode) => [
    ...(["accept", "decline", "cancel"] as const).map(
      (action): WrongAgent => ({
        fails: `elicitation/${mode}-${action}`,
        areas: [`elicitation/${mode}-`],
        mutation: {
          receive: (message, agent) => message.result?.action === action && (agent as Message).mode === mode,
          write: noteMode,
        },
      }),
    ),
    {
      fails: `elicitation/${mode}-unknown-action`,
      areas: [`elicitation/${mode}-`],
      mutation: { receive: (message: Message) => message.result?.action?.startsWith("_") === true },
    },
    {
      fails: `elicitation/${mode}-error`,
      areas: [`elicitation/${mode}-`],
      mutation: { receive: (message: Message) => message.error?.message === "No user here" },
    },
  ]),
  {
    fails: "elicitation/while-cancelled",
    mutation: { receive: (message) => message.method === "session/cancel" || message.result?.action === "cancel" },
    areas: ["elicitation/while-cancelled"],
  },
  // modes and options
  {
    fails: "modes/set",
    also: ["watch/schema/modes"],
    mutation: responds("session/set_mode", ({ params }) => (params.modeId === "code" ? { result: null } : undefined)),
  },
  {
    fails: "modes/unknown",
    mutation: responds("session/set_mode", ({ params }) =>
      params.modeId.startsWith("conformance") ? { result: {} } : undefined,
    ),
  },
  {
    fails: "modes/while-a-turn-runs",
    mutation: responds("session/set_mode", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.stop ? failed : undefined,
    ),
  },
  {
    fails: "options/set",
    areas: ["options/set"],
    mutation: changes(
      (message) => message.result?.configOptions !== undefined && message.result.sessionId === undefined,
      ({ result }) => (result.configOptions = result.configOptions.slice(0, 1)),
    ),
  },
  {
    fails: "options/unknown",
    mutation: responds("session/set_config_option", ({ params }) =>
      String(params.configId).startsWith("conformance") ? { result: { configOptions: [] } } : undefined,
    ),
  },
  {
    fails: "options/unknown-type",
    mutation: responds("session/set_config_option", ({ params }) => (params.type === "select" ? failed : undefined)),
  },
  {
    fails: "options/while-a-turn-runs",
    mutation: responds("session/set_config_option", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.stop ? failed : undefined,
    ),
  },
  {
    fails: "options/untouched",
    also: ["watch/schema/config-options"],
    areas: ["options/untouched"],
    mutation: changes(
      (message) => message.result?.sessionId !== undefined,
      ({ result }) => (result.configOptions[0].currentValue = null),
    ),
  },
  // the tour: the agent exits during the turn
  ...["plan", "tools", "think", "content", "usage", "title", "mode", "config", "commands", "notice", "compact"].map(
    (command): WrongAgent => ({
      fails: `tour/${command === "think" ? "thought" : command === "compact" ? "compaction" : command}`,
      mutation: exitsAt(`/${command}`),
    }),
  ),
  // watches: the envelope
  {
    fails: "watch/only-messages-on-stdout",
    mutation: once(
      adds(
        (message) => message.result?.agentInfo,
        () => ["Ready."],
      ),
    ),
  },
  { fails: "watch/one-line-per-message", mutation: adds(isUpdate("plan"), () => ["{", "}"]) },
  { fails: "watch/utf-8", mutation: adds(isUpdate("plan"), () => ["\u0000"]), also: ["watch/json-rpc-2.0"] },
  { fails: "watch/json-rpc-2.0", mutation: changes(isUpdate("plan"), (message) => delete message.jsonrpc) },
  {
    fails: "watch/kinds-of-messages",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", id: 1, method: "_x", result: {} }]),
  },
  {
    fails: "watch/ids",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", id: 1.5, method: "_x", params: {} }]),
  },
  {
    fails: "watch/answers",
    mutation: adds(
      (message) => message.result?.stopReason,
      (message) => [message],
    ),
  },
  {
    fails: "watch/params",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "elicitation/complete", params: [1] }]),
    also: ["watch/elicitation-complete", "watch/schema/notifications"],
  },
  {
    fails: "watch/method-names",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "session/progress", params: {} }]),
  },
  {
    fails: "watch/errors",
    areas: ["prompt/failure"],
    also: ["prompt/failure"],
    mutation: changes(
      (message) => message.error?.message === "It failed",
      ({ error }) => (error.code = "fail"),
    ),
  },
  // watches: the schema
  {
    fails: "watch/schema/initialize",
    mutation: changes(isResult("agentInfo"), ({ result }) => (result.agentInfo = { name: 5 })),
  },
  {
    fails: "watch/schema/sessions",
    mutation: responds("session/delete", { result: null }),
    areas: ["capabilities/advertised"],
  },
  {
    fails: "watch/schema/login",
    areas: ["initialize/names"],
    mutation: responds("authenticate", { result: [] }),
    also: [],
  },
  {
    fails: "watch/schema/session-list",
    areas: ["capabilities/advertised"],
    mutation: changes(isResult("sessions"), ({ result }) => result.sessions.push({ sessionId: 1, cwd: "/x" })),
  },
  {
    fails: "watch/schema/stop-reason",
    mutation: changes(
      (message) => message.result?.stopReason === "end_turn",
      ({ result }, agent) =>
        [...agent.sessions.values()][0]?.history.some(({ sessionUpdate }) => sessionUpdate === "plan") &&
        (result.stopReason = "error"),
    ),
  },
  { fails: "watch/schema/updates", mutation: update("plan", (plan) => (plan.sessionUpdate = "scheme")), also: [] },
  {
    fails: "watch/schema/content-blocks",
    mutation: update("agent_thought_chunk", (chunk) => (chunk.content = { type: "text" })),
  },
  {
    fails: "watch/schema/tool-calls",
    mutation: update("tool_call_update", (call) => call.content && (call.content = [{ type: "text", text: "bare" }])),
  },
  { fails: "watch/schema/plans", mutation: update("plan", (plan) => delete plan.entries[0].priority) },
  {
    fails: "watch/schema/commands",
    mutation: update("available_commands_update", ({ availableCommands }) => delete availableCommands[0].description),
  },
  {
    fails: "watch/schema/modes",
    mutation: update("current_mode_update", (mode) => ((mode.modeId = mode.currentModeId), delete mode.currentModeId)),
    also: ["watch/no-custom-members"],
  },
  {
    fails: "watch/schema/config-options",
    mutation: update("config_option_update", ({ configOptions }) => delete configOptions[0].currentValue),
  },
  { fails: "watch/schema/session-info", mutation: update("session_info_update", (info) => (info.title = 5)) },
  { fails: "watch/schema/usage", mutation: update("usage_update", (usage) => (usage.size = null)) },
  { fails: "watch/schema/notices", mutation: update("notice", (notice) => (notice.title = "")) },
  {
    fails: "watch/schema/compaction",
    mutation: update(
      "compaction_update",
      (compaction) => compaction.status === "completed" && delete compaction.status,
    ),
    also: [],
  },
  {
    fails: "watch/schema/permissions",
    areas: ["permission/allowed"],
    mutation: changes(isCall("session/request_permission"), ({ params }) => delete params.options[0].name),
  },
  {
    fails: "watch/schema/files",
    areas: ["files/read-fails"],
    mutation: changes(isCall("fs/read_text_file"), ({ params }) => (params.line = "1")),
  },
  {
    fails: "watch/schema/terminals",
    areas: ["terminals/released"],
    mutation: changes(isCall("terminal/create"), ({ params }) => (params.args = "x")),
  },
  {
    fails: "watch/schema/elicitations",
    areas: ["elicitation/form-accept"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => delete params.message),
  },
  {
    fails: "watch/schema/notifications",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: {} } }]),
  },
  // watches: capabilities
  ...Object.entries({
    "read-files": { method: "fs/read_text_file", params: { path: "/x" } },
    "write-files": { method: "fs/write_text_file", params: { path: "/x", content: "" } },
    terminals: { method: "terminal/create", params: { command: "x" } },
    forms: {
      method: "elicitation/create",
      params: { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } },
    },
    urls: {
      method: "elicitation/create",
      params: { mode: "url", message: "?", elicitationId: "e", url: "https://example.com" },
    },
  }).map(
    ([id, { method, params }]): WrongAgent => ({
      fails: `watch/capabilities/${id}`,
      areas: ["initialize/client-that"],
      mutation: once(
        adds(
          (message) => isUpdate("agent_message_chunk")(message),
          (message, agent) =>
            agent.client.terminal === true
              ? []
              : [{ jsonrpc: "2.0", id: 99, method, params: { sessionId: message.params.sessionId, ...params } }],
        ),
      ),
    }),
  ),
  {
    fails: "watch/capabilities/boolean-options",
    areas: ["initialize/client-that"],
    mutation: changes(
      isResult("configOptions"),
      ({ result }, agent) =>
        agent.client.terminal !== true &&
        result.configOptions.push({ id: "loud", name: "Loud", type: "boolean", currentValue: true }),
    ),
  },
  {
    fails: "watch/capabilities/terminal-logins",
    mutation: changes(isResult("authMethods"), ({ result }) =>
      result.authMethods.push({ id: "t", name: "T", type: "terminal" }),
    ),
  },
  {
    fails: "watch/capabilities/notices",
    areas: ["initialize/client-that"],
    mutation: adds(isUpdate("agent_message_chunk"), (message, agent) =>
      agent.client.terminal === true ? [] : [said(message, { sessionUpdate: "notice", severity: "info", title: "x" })],
    ),
  },
  {
    fails: "watch/capabilities/compaction",
    areas: ["initialize/client-that"],
    mutation: once(
      adds(isUpdate("agent_message_chunk"), (message, agent) =>
        agent.client.terminal === true
          ? []
          : [said(message, { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" })],
      ),
    ),
  },
  // watches: sessions and turns
  {
    fails: "watch/updates-of-known-sessions",
    mutation: adds(isUpdate("plan"), () => [said({ params: { sessionId: "unknown-session" } }, chunk)]),
  },
  {
    fails: "watch/updates-before-the-answer",
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "end_turn"
          ? [message, said({ params: { sessionId: [...agent.sessions.keys()].at(-1) } }, chunk)]
          : undefined,
    },
  },
  {
    fails: "watch/updates-before-cancelled",
    areas: ["cancel/at-once"],
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "cancelled"
          ? [message, said({ params: { sessionId: [...agent.sessions.keys()][0] } }, chunk)]
          : undefined,
    },
  },
  {
    fails: "watch/message-ids",
    areas: ["prompt/two-turns"],
    mutation: update("agent_message_chunk", (each) => (each.messageId = "always")),
  },
  {
    fails: "watch/tool-call-ids",
    areas: ["capabilities/client-with-empty"],
    mutation: adds(isUpdate("agent_message_chunk"), (message) => [
      said(message, { sessionUpdate: "tool_call", toolCallId: "always", title: "X" }),
    ]),
  },
  {
    fails: "watch/tool-calls-end",
    mutation: update("tool_call_update", (call) => delete call.status),
    areas: ["terminals/released"],
  },
  {
    fails: "watch/tool-call-names",
    mutation: update("tool_call_update", (call) => call.name && (call.name = "other")),
  },
  {
    fails: "watch/tool-call-paths",
    mutation: update("tool_call", (call) => (call.locations = [{ path: "relative" }])),
  },
  {
    fails: "watch/terminals-in-tool-calls",
    mutation: update("tool_call", (call) => (call.content = [{ type: "terminal", terminalId: "never created" }])),
  },
  {
    fails: "watch/whole-plans",
    mutation: update("plan", (plan) => plan.entries[0].status === "in_progress" && plan.entries.pop()),
  },
  { fails: "watch/cost-grows", mutation: update("usage_update", (usage) => (usage.cost.amount = 1 / usage.used)) },
  {
    fails: "watch/session-info-members",
    mutation: update("session_info_update", (info) => (info.updatedAt = "yesterday")),
  },
  {
    fails: "watch/session-list-entries",
    areas: ["capabilities/advertised"],
    mutation: changes(isResult("sessions"), ({ result }) => result.sessions.push({ sessionId: "s", cwd: "relative" })),
  },
  {
    fails: "watch/compaction-order",
    mutation: adds(isUpdate("compaction_update"), (message) =>
      message.params.update.status === "completed" ? [message] : [],
    ),
  },
  {
    fails: "watch/no-notices-in-replay",
    areas: ["session/load"],
    mutation: {
      receive: (message, agent) => (
        message.method === "session/load" &&
          agent.store.has(message.params.sessionId) &&
          agent.send(said(message, { sessionUpdate: "notice", severity: "info", title: "old" })),
        false
      ),
    },
  },
  {
    fails: "watch/paths-for-the-client",
    areas: ["terminals/released"],
    mutation: changes(isCall("terminal/create"), ({ params }) => (params.cwd = "relative")),
  },
  {
    fails: "watch/elicitation-scope",
    areas: ["elicitation/form-accept"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => (params.requestId = 1)),
  },
  {
    fails: "watch/elicitation-forms",
    areas: ["elicitation/form-accept"],
    mutation: changes(
      isCall("elicitation/create"),
      ({ params }) => (params.requestedSchema.properties.password = { type: "string" }),
    ),
  },
  {
    fails: "watch/elicitation-urls",
    areas: ["elicitation/url-accept"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => (params.url = "https://me:secret@example.com/")),
  },
  {
    fails: "watch/elicitation-complete",
    areas: ["elicitation/url-accept"],
    mutation: changes(isCall("elicitation/complete"), ({ params }) => (params.elicitationId = "another")),
  },
  { fails: "watch/no-custom-members", mutation: update("plan", (plan) => (plan.vendor = 1)) },
];

function stopAll(agent: RightAgent): void {
  for (const { stop } of agent.sessions.values()) stop?.();
}

/** Records the mode of the open elicitation. */
function noteMode(message: Message, agent: RightAgent): undefined {
  if (message.method === "elicitation/create") (agent as Message).mode = message.params.mode;
  return undefined;
}
