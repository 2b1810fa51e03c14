import {
  changes,
  chunk,
  failed,
  failing,
  isUpdate,
  type Mutant,
  ok,
  plays,
  responds,
  said,
  type WrongAgent,
} from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const promptTurnWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "prompt/resource-link": responds("session/prompt", ({ params }) =>
      params.prompt.some(({ type }: Message) => type === "resource_link") ? failed : undefined,
    ),
    "prompt/advertised-blocks": responds("session/prompt", ({ params }) =>
      params.prompt.some(({ type }: Message) => type === "image")
        ? { error: { code: -32602, message: "No images" } }
        : undefined,
    ),
    "prompt/unknown-block": {
      receive: (message) => (message.params?.prompt?.[0]?.type === "hologram" && (message.params.prompt = []), false),
    },
    "prompt/empty": { receive: (message, agent) => message.params?.prompt?.length === 0 && (agent.exit(1), true) },
    "prompt/overlapping": {
      receive: (message, agent) =>
        message.method === "session/prompt" && agent.sessions.get(message.params.sessionId)?.stop !== undefined,
    },
    "prompt/failure": plays("/error", (message, agent) => agent.send(ok(message))),
    "watch/schema/stop-reason": changes(
      (message) => message.result?.stopReason === "end_turn",
      ({ result }, agent) =>
        [...agent.sessions.values()][0]?.history.some(({ sessionUpdate }) => sessionUpdate === "plan") &&
        (result.stopReason = "error"),
    ),
    "watch/updates-before-the-answer": {
      write: (message, agent) =>
        message.result?.stopReason === "end_turn"
          ? [message, said({ params: { sessionId: [...agent.sessions.keys()].at(-1) } }, chunk)]
          : undefined,
    },
  }),
  {
    fails: "prompt/text",
    areas: ["prompt/text"],
    mutation: {
      write: (message) =>
        isUpdate("agent_message_chunk")(message) && message.params.update.content.text === "hello" ? [] : undefined,
    },
  },
  {
    fails: "prompt/two-turns",
    areas: ["prompt/two-turns"],
    mutation: responds("session/prompt", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.turns === 1 ? failed : undefined,
    ),
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
];
