import { changes, isCall, isUpdate, type Mutant, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const permissionsWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    rule: "PERM-07",
    does: "writes the file although the user rejected it",
    shows: ["permission/rejected"],
    mutation: {
      receive: (message) => (
        message.result?.outcome?.optionId === "no" && (message.result.outcome.optionId = "yes"), false
      ),
    },
  },
  {
    rule: "PERM-07",
    does: "writes the file although the request was cancelled",
    shows: ["permission/cancelled"],
    mutation: {
      receive: (message) => (
        message.result?.outcome?.outcome === "cancelled" &&
          (message.result.outcome = { outcome: "selected", optionId: "yes" }),
        false
      ),
    },
  },
  {
    fails: "permission/allowed",
    mutation: {
      write: (message, agent) =>
        isUpdate("tool_call_update")(message) && message.params.update.status === "in_progress" && agent.client.terminal
          ? []
          : undefined,
    },
  },
  ...(["rejected", "cancelled", "unknown-option"] as const).map(
    (id): WrongAgent => ({
      fails: `permission/${id}`,
      mutation: {
        receive(message) {
          const { outcome } = message.result ?? {};
          const was =
            outcome?.optionId === "no"
              ? "rejected"
              : outcome?.outcome === "cancelled"
                ? "cancelled"
                : outcome?.optionId === "yes"
                  ? ""
                  : "unknown-option";
          if (outcome && was === id) outcome.optionId = "yes";
          return false;
        },
      },
    }),
  ),
  {
    fails: "watch/schema/permissions",
    areas: ["permission/allowed"],
    mutation: changes(isCall("session/request_permission"), ({ params }) => delete params.options[0].name),
  },
];
