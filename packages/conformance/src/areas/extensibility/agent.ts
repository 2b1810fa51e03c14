import { type AgentCheck, messageWatch } from "../../agent/agent-scenario.js";
import { declaredMembers } from "../../gen/v1/members.gen.js";
import { asText, entryOf, isObject, member, shown } from "../../wire/values.js";

/** The checks of agents: extensibility. */
export const extensibilityAgentChecks: readonly AgentCheck[] = [
  messageWatch("watch/no-custom-members", ["EXT-03"], {
    title: "The agent adds custom members only in _meta",
    check({ method, other, params, message, seq, kind }, wrong) {
      const report = (value: unknown, names: readonly string[]): void => {
        if (names.length === 0) return;
        const text = "The schema does not declare this member; additions to the protocol's types belong in _meta.";
        wrong("EXT-03", [seq], `${names.join(", ")} in ${shown(value)}`, text);
      };
      if (method !== undefined) report(params, undeclared(params, entryOf(declaredMembers.params, method)));
      const update = member(params, "update");
      if (method === "session/update") {
        report(update, undeclared(update, entryOf(declaredMembers.updates, asText(member(update, "sessionUpdate")))));
      }
      if (kind === "response" && other?.method !== undefined) {
        report(message.result, undeclared(message.result, entryOf(declaredMembers.results, other.method)));
      }
    },
  }),
];

function undeclared(value: unknown, declared: readonly string[] | undefined): readonly string[] {
  if (declared === undefined || !isObject(value)) return [];
  const names = new Set([...declared, "_meta", "sessionUpdate"]);
  return Object.keys(value).filter((name) => !names.has(name));
}
