import { changes, chunk, failed, failing, type Mutant, said, stopAll, type WrongAgent } from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const cancellationWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "cancel/while-asking": {
      write: (message, agent) =>
        message.result?.stopReason === "cancelled" && [...agent.sessions.values()].some(({ calls }) => calls > 0)
          ? [{ jsonrpc: "2.0", id: message.id, ...failed }]
          : undefined,
    },
    "cancel/idle-session": {
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
    "cancel/one-of-two-sessions": {
      receive: (message, agent) => (message.method === "session/cancel" && stopAll(agent), false),
    },
    "cancel/request": {
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
    "cancel/request-of-another-type": {
      receive: (message, agent) => (
        message.method === "$/cancel_request" && typeof message.params.requestId === "string" && stopAll(agent), false
      ),
    },
  }),
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
    fails: "watch/updates-before-cancelled",
    areas: ["cancel/at-once"],
    mutation: {
      write: (message, agent) =>
        message.result?.stopReason === "cancelled"
          ? [message, said({ params: { sessionId: [...agent.sessions.keys()][0] } }, chunk)]
          : undefined,
    },
  },
];
