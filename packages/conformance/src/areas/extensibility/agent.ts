import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { declaredMembers } from "../../gen/v1/members.gen.js";
import { asText, entryOf, isObject, type Json, member, shown } from "../../wire/values.js";

/** The checks of agents: extensibility. */
export const extensibilityAgentChecks: readonly AgentCheck[] = [
  agentWatch({
    id: "watch/no-custom-members",
    title: "The agent adds custom members only in _meta",
    verifies: ["EXT-03"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, method, other, params, message, seq, kind } of spoken) {
        if (from !== "agent") continue;
        countEntry();
        const report = (value: Json | unknown, names: readonly string[]): void => {
          if (names.length === 0) return;
          wrong(
            "EXT-03",
            [seq],
            `${names.join(", ")} in ${shown(value)}`,
            "The schema does not declare this member; additions to the protocol's types belong in _meta.",
          );
        };
        if (method !== undefined) report(params, undeclared(params, entryOf(declaredMembers.params, method)));
        const update = member(params, "update");
        if (method === "session/update") {
          report(update, undeclared(update, entryOf(declaredMembers.updates, asText(member(update, "sessionUpdate")))));
        }
        if (kind === "response" && other?.method !== undefined) {
          report(message.result, undeclared(message.result, entryOf(declaredMembers.results, other.method)));
        }
      }
    },
  }),
];

function undeclared(value: unknown, declared: readonly string[] | undefined): readonly string[] {
  if (declared === undefined || !isObject(value)) return [];
  const names = new Set([...declared, "_meta", "sessionUpdate"]);
  return Object.keys(value).filter((name) => !names.has(name));
}
