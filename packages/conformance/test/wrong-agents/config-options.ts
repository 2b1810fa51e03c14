import { changes, exitsAt, failed, failing, type Mutant, responds, update, type WrongAgent } from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const configOptionsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "options/unknown": responds("session/set_config_option", ({ params }) =>
      String(params.configId).startsWith("conformance") ? { result: { configOptions: [] } } : undefined,
    ),
    "options/unknown-type": responds("session/set_config_option", ({ params }) =>
      params.type === "select" ? failed : undefined,
    ),
    "options/while-a-turn-runs": responds("session/set_config_option", ({ params }, agent) =>
      agent.sessions.get(params.sessionId)?.stop ? failed : undefined,
    ),
    "tour/config": exitsAt("/config"),
    "watch/schema/config-options": update(
      "config_option_update",
      ({ configOptions }) => delete configOptions[0].currentValue,
    ),
  }),
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
    fails: "options/untouched",
    also: ["watch/schema/config-options"],
    areas: ["options/untouched"],
    mutation: changes(
      (message) => message.result?.sessionId !== undefined,
      ({ result }) => (result.configOptions[0].currentValue = null),
    ),
  },
];
