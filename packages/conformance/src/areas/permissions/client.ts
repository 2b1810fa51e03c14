import { clientValidators } from "@acp-kit/schema/validate";
import { type ClientCheck, clientWatch, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { exchangeOf, schemaFault } from "../../client/schema-watch.js";
import type { ClientResponse } from "../../client/scripted-agent.js";
import type { Turn } from "../../client/turn.js";
import { itemsOf, type Json, member, shown } from "../../wire/values.js";

const options: readonly Json[] = [
  { optionId: "yes/ü", name: "Allow", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

const announced = {
  sessionUpdate: "tool_call",
  toolCallId: "t1",
  title: "Edit a file",
  kind: "edit",
  status: "pending",
};

/** The checks of clients: permissions. */
export const permissionsClientChecks: readonly ClientCheck[] = [
  turnScenario("permissions/answered", ["PERM-04", "PERM-08", "INIT-19"], {
    title: "A permission request gets an offered option, or the outcome cancelled",
    run: async (context, turn) => {
      turn.update(announced);
      const response = await requestPermission(context, turn, { toolCall: { toolCallId: "t1" }, options });
      const fault = outcomeFault(response, options);
      if (fault === undefined) return;
      context.fail(response.error ? "PERM-08" : "PERM-04", {
        sent: `The options ${shown(options.map(({ optionId }) => optionId))}`,
        received: response,
        ...fault,
      });
    },
  }),
  turnScenario("permissions/new-tool-call", ["PERM-09"], {
    title: "A permission request may be the first message about its tool call",
    run: async (context, turn) => {
      const toolCall = {
        toolCallId: "not-announced",
        title: "Run a command",
        kind: "execute",
        rawInput: { command: "ls" },
      };
      const response = await requestPermission(context, turn, { toolCall, options });
      const fault = outcomeFault(response, options);
      if (fault) context.fail("PERM-09", { sent: shown(toolCall), received: response, ...fault });
    },
  }),
  turnScenario("permissions/no-options", ["PERM-11"], {
    title: "A permission request without options gets the outcome cancelled or an error",
    run: async (context, turn) => {
      const response = await requestPermission(context, turn, { toolCall: { toolCallId: "t1" }, options: [] });
      if (response.error || member(response.result, "outcome", "outcome") === "cancelled") return;
      context.fail("PERM-11", {
        sent: "No options",
        received: response,
        explanation:
          "The user can't approve a request without options, so the client responds with the outcome `cancelled` or an error.",
      });
    },
  }),
  turnScenario("permissions/malformed-option", ["PERM-13", "WIRE-04"], {
    title: "A permission request with an option of an unknown kind gets the error -32602",
    run: async (context, turn) => {
      const odd = [...options, { optionId: "maybe", name: "Perhaps", kind: "maybe" }];
      const response = await requestPermission(context, turn, { toolCall: { toolCallId: "t1" }, options: odd });
      if (response.error?.code === -32602) return;
      const control =
        response.error && (await requestPermission(context, turn, { toolCall: { toolCallId: "t2" }, options }));
      if (control?.error) context.inconclusive(`A request with known options fails, too: ${shown(control)}`);
      context.fail("PERM-13", { sent: 'An option of the kind "maybe"', received: response });
    },
  }),
  turnScenario("permissions/several", ["PERM-08"], {
    title: "Each of several open permission requests gets a response",
    run: async (context, turn) => {
      const responses = await Promise.all(
        ["t1", "t2"].map((toolCallId) =>
          requestPermission(context, turn, { toolCall: { toolCallId, title: "A call" }, options }),
        ),
      );
      for (const response of responses) {
        const fault = outcomeFault(response, options);
        if (fault) context.note("PERM-08", { sent: "Two permission requests", received: response, ...fault });
      }
    },
  }),
  clientWatch("schema/permission-answer", ["PERM-04"], {
    title: "The result of a permission request matches the schema",
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (exchange?.request.method !== "session/request_permission") return undefined;
      return schemaFault("PERM-04", "The result", clientValidators.results, exchange.request.method, exchange.result);
    },
  }),
  clientWatch("payload/permission-option", ["PERM-04"], {
    title: "The selected permission option was offered",
    judge: (event, state) => {
      const exchange = exchangeOf(event, state);
      if (exchange?.request.method !== "session/request_permission") return undefined;
      if (member(exchange.result, "outcome", "outcome") !== "selected") return "fine";
      const offered = itemsOf(member(exchange.request.params, "options")).map((option) => member(option, "optionId"));
      if (offered.length === 0) return undefined; // the schema allows it, and its effect is open (PERM-11)
      const chosen = member(exchange.result, "outcome", "optionId");
      if (offered.includes(chosen)) return "fine";
      return {
        sent: `The options ${shown(offered)}`,
        received: shown(exchange.result),
        explanation: `${shown(chosen)} is not among the offered options.`,
        remedy: "Respond with the optionId of one of the options in the request, unchanged.",
      };
    },
  }),
];

/**
 * Sends a permission request, and types the user's decision for a client that prompts for it. Skips the scenario if the
 * client is running and doesn't respond.
 */
async function requestPermission(context: ClientScenarioContext, turn: Turn, params: Json): Promise<ClientResponse> {
  const waiting = turn.tryRequest("session/request_permission", params);
  if (context.driving.permissionStdin !== undefined) context.run.process.type(`${context.driving.permissionStdin}\n`);
  const response = await waiting;
  if (response) return response;
  await turn.checkAlive("a permission request");
  return context.skip(
    "The permission request got no response; for a client that prompts its user, `--permission-stdin` types the user's decision.",
  );
}

function outcomeFault(
  response: ClientResponse,
  offered: readonly Json[],
): { readonly explanation: string; readonly remedy?: string } | undefined {
  if (response.error) return { explanation: "Every client responds to a permission request with an outcome." };
  const outcome = member(response.result, "outcome", "outcome");
  if (outcome === "cancelled") return undefined;
  if (outcome !== "selected")
    return { explanation: "The outcome of a permission request is `selected`, with an option, or `cancelled`." };
  const chosen = member(response.result, "outcome", "optionId");
  if (offered.some(({ optionId }) => optionId === chosen)) return undefined;
  const remedy = "Respond with the optionId of one of the options in the request, unchanged.";
  return { explanation: `${shown(chosen)} was not offered.`, remedy };
}
