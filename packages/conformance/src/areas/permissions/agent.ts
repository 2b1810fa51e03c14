import type { AgentContext } from "../../agent/agent-context.js";
import { type AgentCheck, type AgentScenario, agentScenario } from "../../agent/agent-scenario.js";
import type { ClientBehaviour } from "../../agent/client-side.js";
import { request, schemaWatch } from "../../agent/schema-watch.js";
import { contentBefore, served } from "../../agent/served-request.js";
import { member, shown } from "../../wire/values.js";

/** The checks of agents: permissions. */
export const permissionsAgentChecks: readonly AgentCheck[] = [
  agentScenario("permission/allowed", ["TOOL-10", "TOOL-08"], {
    title: "After the permission the agent runs the tool and reports how it ended",
    needs: ["prompt: permission"],
    async run(context) {
      const { session, turn, request } = await served(context, "permission", "session/request_permission");
      const response = await context.endOf(session, turn);
      const id = member(request.params, "toolCall", "toolCallId");
      const statuses = context
        .updates(session, turn.prompt.seq)
        .filter(({ update }) => update.toolCallId === id && update.status !== undefined);
      const last = statuses.at(-1)?.update.status;
      if (last === "in_progress")
        context.skip("the tool may still be running after the turn: nothing shows that it ended");
      if (last !== "completed" && last !== "failed") {
        context.fail("TOOL-10", {
          sent: "the requested permission",
          received: last === undefined ? "no status of the tool call" : `the last status ${shown(last)}`,
          where: session.peer.at(request.seq, response.seq),
        });
      }
      if (statuses.some(({ update }) => update.status === "in_progress")) return;
      context.note("TOOL-08", {
        sent: "the requested permission",
        received: `the statuses ${shown(statuses.map(({ update }) => update.status))}`,
        where: session.peer.at(request.seq, response.seq),
      });
    },
  }),
  notAllowed("rejected", "reject_once", "reject_once"),
  notAllowed("cancelled", "cancelled", "cancelled"),
  notAllowed("unknown-option", "an option that wasn't offered", () => ({
    result: { outcome: { outcome: "selected", optionId: "conformance-not-offered" } },
  })),
  schemaWatch(
    "permissions",
    ["PERM-02", "PERM-03"],
    "Requests for permission match the schema",
    request("session/request_permission"),
  ),
];

/** Creates a scenario in which the client responds to a permission request with anything but an approval. */
function notAllowed(
  name: string,
  choice: string,
  permission: NonNullable<ClientBehaviour["permission"]>,
): AgentScenario {
  const isRejected = permission === "reject_once";
  return agentScenario(`permission/${name}`, isRejected ? ["PERM-07", "PROMPT-09"] : ["PERM-07"], {
    title: `The agent does not run the tool if the permission response is ${choice}`,
    needs: ["prompt: edit"],
    async run(context: AgentContext) {
      const manners = { permission };
      const { session, turn, request, path } = await served(context, "edit", "session/request_permission", manners);
      const response = await context.endOf(session, turn);
      if (isRejected && member(response.result, "stopReason") === "cancelled") {
        context.note("PROMPT-09", {
          sent: "reject_once, and no session/cancel",
          received: "stopReason cancelled",
          explanation:
            "The stop reason cancelled means that the client cancelled the turn. A rejected tool does not cancel it.",
          where: session.peer.at(turn.prompt.seq, request.seq, response.seq),
        });
      }
      if ((await context.files.read(path)) === contentBefore) return;
      const id = member(request.params, "toolCall", "toolCallId");
      const later = context.updates(session, request.seq);
      const run = later.find(({ update }) => update.toolCallId === id && update.status === "completed");
      // Another tool that needs no permission may have written the file; then the rejected tool did not run.
      if (later.some(({ update }) => update.toolCallId !== undefined && update.toolCallId !== id)) {
        context.inconclusive("another tool call followed, and may have changed the file");
      }
      context.fail("PERM-07", {
        advice: typeof permission === "function",
        sent: `${choice}, as the response to the permission request`,
        received: `a change of the file ${path}`,
        explanation: "A tool runs only if the selected option has the kind allow_once or allow_always.",
        where: session.peer.at(request.seq, ...(run ? [run.seq] : []), response.seq),
      });
    },
  });
}
