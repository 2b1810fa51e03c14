import { changes, failed, failing, isResult, type Mutant, responds, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const initializeWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "initialize/agrees-on-version-1": responds("initialize", ({ params }) =>
      params.protocolVersion === 1 &&
      params.clientInfo === undefined &&
      Object.keys(params.clientCapabilities ?? { x: 1 }).length === 0
        ? { result: { protocolVersion: 2, agentInfo: { name: "x", version: "1" } } }
        : undefined,
    ),
    "initialize/unsupported-version": responds("initialize", ({ params }) =>
      params.protocolVersion === 1 ? undefined : failed,
    ),
    "initialize/names-itself": changes(isResult("agentInfo"), ({ result }) => delete result.agentInfo),
    "initialize/client-that-offers-nothing": responds("initialize", ({ params }) =>
      params.clientCapabilities === undefined ? failed : undefined,
    ),
    "initialize/unknown-members": responds("initialize", ({ params }) => ("zzz" in params ? failed : undefined)),
    "initialize/malformed-optional-members": responds("initialize", ({ params }) =>
      params.clientInfo === 5 ? failed : undefined,
    ),
    "initialize/twice": {
      receive: (message, agent) =>
        message.method === "initialize" && agent.initialized
          ? (agent.send({ jsonrpc: "2.0", id: message.id, result: { protocolVersion: 1 } }),
            (agent.initialized = false),
            true)
          : false,
    },
    "initialize/before-anything-else": {
      receive: (message, agent) => ((agent.initialized ||= message.method === "session/new"), false),
    },
    "watch/schema/initialize": changes(isResult("agentInfo"), ({ result }) => (result.agentInfo = { name: 5 })),
  }),
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
];
