import { changes, failed, isResult, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const initializeWrongAgents: readonly (WrongAgent | Mutant)[] = [
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
    fails: "watch/schema/initialize",
    mutation: changes(isResult("agentInfo"), ({ result }) => (result.agentInfo = { name: 5 })),
  },
];
