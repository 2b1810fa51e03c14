import { changes, exitsAt, failed, type Mutant, responds, update, type WrongAgent } from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const configOptionsWrongAgents: readonly (WrongAgent | Mutant)[] = [
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
  { fails: "tour/config", mutation: exitsAt("/config") },
  {
    fails: "watch/schema/config-options",
    mutation: update("config_option_update", ({ configOptions }) => delete configOptions[0].currentValue),
  },
];
