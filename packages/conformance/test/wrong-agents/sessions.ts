import {
  changes,
  chunk,
  failed,
  failing,
  isCall,
  isUpdate,
  type Mutant,
  responds,
  said,
  type WrongAgent,
} from "../mutations.js";

/** Agents that break the rules of this area. */
export const sessionsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "session/unique-ids": changes(
      (message) => message.result?.sessionId !== undefined,
      ({ result }, agent) => (result.sessionId = [...agent.sessions.keys()][0]),
    ),
    "session/malformed-params": {
      receive: (message) => (
        message.method === "session/new" && message.params.cwd === 5 && (message.params.cwd = "/"), false
      ),
    },
    "session/null-lists": responds("session/new", ({ params }) => (params.mcpServers === null ? failed : undefined)),
    "session/unknown": responds("session/prompt", ({ params }) =>
      params.sessionId === "conformance-no-such-session" ? { result: { stopReason: "end_turn" } } : undefined,
    ),
    "session/cwd": changes(
      isCall("fs/write_text_file"),
      ({ params }) => (params.path = params.path.replace("/elsewhere/", "/work/")),
    ),
    "session/load": { write: (message) => (isUpdate("user_message_chunk")(message) ? [] : undefined) },
    "session/load-unknown": responds("session/load", ({ params }) =>
      params.sessionId.startsWith("0000") ? { result: {} } : undefined,
    ),
    "session/resume": {
      receive: (message, agent) => (message.method === "session/resume" && agent.send(said(message, chunk)), false),
    },
    "session/close-running": {
      receive: (message, agent) =>
        message.method === "session/close" && agent.sessions.get(message.params.sessionId)?.stop
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: {} }), true)
          : false,
    },
  }),
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
    fails: "session/close",
    mutation: responds("session/close", () => ({ result: {} })),
    also: ["session/close-running"],
  },
  {
    fails: "watch/schema/sessions",
    mutation: responds("session/delete", { result: null }),
    areas: ["capabilities/advertised"],
  },
];
