import { adds, changes, isCall, isUpdate, type Mutant, noteMode, type WrongAgent } from "../mutations.js";
import type { Message } from "../right-agent.js";

/** Agents that break the rules of this area. */
export const elicitationWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    rule: "ELICIT-23",
    does: "treats a declined page as accepted",
    shows: ["elicitation/url-decline"],
    mutation: {
      receive: (message) => (message.result?.action === "decline" && (message.result.action = "accept"), false),
    },
  },
  {
    rule: "ELICIT-24",
    does: "treats an unknown action as accept",
    shows: ["elicitation/url-unknown-action"],
    mutation: {
      receive: (message) => (message.result?.action?.startsWith("_") && (message.result.action = "accept"), false),
    },
  },
  {
    rule: "ELICIT-25",
    does: "requests a secret in the message of a form",
    shows: ["elicitation/form-accept", "watch/elicitation-forms"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => (params.message = "Please enter your API key.")),
  },
  {
    rule: "ELICIT-03",
    does: "sends an elicitation without a mode",
    shows: ["elicitation/form-accept", "watch/schema/elicitations"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => delete params.mode),
  },
  {
    rule: "ELICIT-06",
    does: "sends an elicitation of the mode url without a URL",
    shows: ["elicitation/url-accept", "watch/schema/elicitations"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => delete params.url),
  },
  {
    rule: "ELICIT-09",
    does: "sends a form with an object as a property",
    shows: ["elicitation/form-accept", "watch/elicitation-forms"],
    mutation: changes(
      isCall("elicitation/create"),
      ({ params }) => (params.requestedSchema.properties.address = { type: "object" }),
    ),
  },
  {
    rule: "ELICIT-30",
    does: "uses the id of an open page again, in the same write",
    shows: ["elicitation/url-accept", "watch/elicitation-urls"],
    mutation: {
      // One write, so that the second request is on the wire before the response to the first one.
      write: (message) =>
        isCall("elicitation/create")(message)
          ? [`${JSON.stringify(message)}\n${JSON.stringify({ ...message, id: 70_002 })}`]
          : undefined,
    },
  },
  ...(["form", "url"] as const).flatMap((mode) => [
    ...(["accept", "decline", "cancel"] as const).map(
      (action): WrongAgent => ({
        fails: `elicitation/${mode}-${action}`,
        areas: [`elicitation/${mode}-`],
        mutation: {
          receive: (message, agent) => message.result?.action === action && (agent as Message).mode === mode,
          write: noteMode,
        },
      }),
    ),
    {
      fails: `elicitation/${mode}-unknown-action`,
      areas: [`elicitation/${mode}-`],
      mutation: { receive: (message: Message) => message.result?.action?.startsWith("_") === true },
    },
    {
      fails: `elicitation/${mode}-error`,
      areas: [`elicitation/${mode}-`],
      mutation: { receive: (message: Message) => message.error?.message === "No user here" },
    },
  ]),
  {
    fails: "elicitation/while-cancelled",
    mutation: { receive: (message) => message.method === "session/cancel" || message.result?.action === "cancel" },
    areas: ["elicitation/while-cancelled"],
  },
  {
    fails: "watch/schema/elicitations",
    areas: ["elicitation/form-accept"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => delete params.message),
  },
  {
    fails: "watch/schema/notifications",
    mutation: adds(isUpdate("plan"), () => [{ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: {} } }]),
  },
  {
    fails: "watch/elicitation-scope",
    areas: ["elicitation/form-accept"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => (params.requestId = 1)),
  },
  {
    fails: "watch/elicitation-forms",
    areas: ["elicitation/form-accept"],
    mutation: changes(
      isCall("elicitation/create"),
      ({ params }) => (params.requestedSchema.properties.password = { type: "string" }),
    ),
  },
  {
    fails: "watch/elicitation-urls",
    areas: ["elicitation/url-accept"],
    mutation: changes(isCall("elicitation/create"), ({ params }) => (params.url = "https://me:secret@example.com/")),
  },
  {
    fails: "watch/elicitation-complete",
    areas: ["elicitation/url-accept"],
    mutation: changes(isCall("elicitation/complete"), ({ params }) => (params.elicitationId = "another")),
  },
];
