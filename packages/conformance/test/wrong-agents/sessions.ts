import {
  changes,
  chunk,
  failed,
  isCall,
  isUpdate,
  type Mutant,
  responds,
  said,
  type WrongAgent,
} from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionsWrongAgents: readonly (WrongAgent | Mutant)[] = [
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
    fails: "watch/schema/sessions",
    mutation: responds("session/delete", { result: null }),
    areas: ["capabilities/advertised"],
  },
];
