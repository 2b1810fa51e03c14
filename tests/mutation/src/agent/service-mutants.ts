import type { Message, Mutant } from "../wire/mutation.js";
import {
  absorb,
  alter,
  both,
  call,
  first,
  inject,
  mislead,
  notification,
  reply,
  swallow,
  update,
} from "../wire/operators.js";

const inRequest = (method: string, change: (params: Message) => unknown) =>
  alter(call(method), ({ params }) => change(params));
/** Changes the schema of each form. The agent also requests pages, which have none. */
const inForm = (change: (schema: Message) => unknown) =>
  inRequest("elicitation/create", ({ requestedSchema }) => requestedSchema && change(requestedSchema));
const form = ["elicitation/form-accept"];
const url = ["elicitation/url-accept"];
const isPage = (message: Message): boolean => message.params?.mode === "url";

/** The rules about requests to the client: permissions, files, terminals, elicitations. */
export const serviceMutants: readonly Mutant[] = [
  {
    rule: "PERM-02",
    does: "offers permission options without a name",
    shows: ["permission/allowed", "watch/schema/permissions"],
    mutation: inRequest("session/request_permission", ({ options }) => delete options[0].name),
  },
  {
    rule: "PERM-07",
    does: "writes a file that the user rejected",
    shows: ["permission/rejected"],
    mutation: mislead(reply("session/request_permission"), ({ result }) => {
      if (result.outcome.optionId?.startsWith("no")) result.outcome.optionId = "yes";
    }),
  },
  {
    rule: "PERM-07",
    does: "writes a file although the request was cancelled",
    shows: ["permission/cancelled"],
    mutation: mislead(reply("session/request_permission"), ({ result }) => {
      if (result.outcome.outcome === "cancelled") result.outcome = { outcome: "selected", optionId: "yes" };
    }),
  },
  {
    rule: "FS-03",
    does: "reads relative paths",
    shows: ["files/read", "watch/paths-for-the-client"],
    mutation: inRequest("fs/read_text_file", (params) => (params.path = "read.txt")),
  },
  {
    rule: "FS-11",
    does: "reads files without a session",
    shows: ["files/read", "watch/schema/files"],
    mutation: inRequest("fs/read_text_file", (params) => delete params.sessionId),
  },
  {
    rule: "TERM-03",
    does: "runs commands with all arguments in one string",
    shows: ["terminals/released", "watch/schema/terminals"],
    mutation: inRequest("terminal/create", (params) => (params.args = "a b")),
  },
  {
    rule: "TERM-05",
    does: "runs commands in a relative directory",
    shows: ["terminals/released", "watch/paths-for-the-client"],
    mutation: inRequest("terminal/create", (params) => (params.cwd = "src")),
  },
  {
    rule: "TERM-13",
    does: "releases no terminal",
    shows: ["terminals/released"],
    mutation: absorb(call("terminal/release")),
  },
  {
    rule: "TERM-13",
    does: "releases no terminal of a cancelled turn",
    shows: ["terminals/released-after-cancel"],
    mutation: absorb(call("terminal/release")),
  },
  {
    rule: "ELICIT-03",
    does: "sends an elicitation without a mode",
    shows: [...form, "watch/schema/elicitations"],
    mutation: inRequest("elicitation/create", (params) => delete params.mode),
  },
  {
    rule: "ELICIT-04",
    does: "sends an elicitation without a message",
    shows: [...form, "watch/schema/elicitations"],
    mutation: inRequest("elicitation/create", (params) => delete params.message),
  },
  {
    rule: "ELICIT-05",
    does: "sends an elicitation with both sessionId and requestId",
    shows: [...form, "watch/elicitation-scope"],
    mutation: inRequest("elicitation/create", (params) => (params.requestId = 1)),
  },
  {
    rule: "ELICIT-06",
    does: "requests a form without a schema",
    shows: [...form, "watch/schema/elicitations"],
    mutation: inRequest("elicitation/create", (params) => delete params.requestedSchema),
  },
  {
    rule: "ELICIT-06",
    does: "sends an elicitation of the mode url without a URL",
    shows: [...url, "watch/schema/elicitations"],
    mutation: inRequest("elicitation/create", (params) => delete params.url),
  },
  {
    rule: "ELICIT-07",
    does: "requests a form with a schema without a type",
    shows: [...form, "watch/elicitation-forms"],
    mutation: inForm((schema) => delete schema.type),
  },
  {
    rule: "ELICIT-09",
    does: "requests a form with an object as a property",
    shows: [...form, "watch/elicitation-forms"],
    mutation: inForm(({ properties }) => (properties.address = { type: "object", properties: {} })),
  },
  ...(["decline", "cancel"] as const).map(
    (action): Mutant => ({
      rule: "ELICIT-23",
      does: `treats the action ${action} as accept`,
      shows: [`elicitation/url-${action}`],
      mutation: mislead(
        both(reply("elicitation/create"), ({ result }) => result.action === action),
        ({ result }) => (result.action = "accept"),
      ),
    }),
  ),
  {
    rule: "ELICIT-23",
    does: "does not continue after its form fails",
    shows: ["elicitation/form-accept", "elicitation/form-error"],
    mutation: swallow(
      (message, wire) => "error" in message && wire.askedByPeer(message)?.method === "elicitation/create",
    ),
  },
  {
    rule: "ELICIT-24",
    does: "treats an unknown action as accept",
    shows: ["elicitation/url-unknown-action"],
    mutation: mislead(
      both(reply("elicitation/create"), ({ result }) => !["accept", "decline", "cancel"].includes(result.action)),
      ({ result }) => (result.action = "accept"),
    ),
  },
  {
    rule: "ELICIT-25",
    also: ["ELICIT-26"],
    does: "requests a secret in the message of a form",
    shows: [...form, "watch/elicitation-forms"],
    mutation: inRequest("elicitation/create", (params) => (params.message = "Please enter your API key.")),
  },
  {
    rule: "ELICIT-25",
    also: ["ELICIT-26"],
    does: "requests a password in a field of a form",
    shows: [...form, "watch/elicitation-forms"],
    mutation: inForm(({ properties }) => (properties.password = { type: "string" })),
  },
  {
    rule: "ELICIT-30",
    does: "uses the elicitation id of an open URL again",
    shows: [...url, "watch/elicitation-urls"],
    mutation: inject(first(both(call("elicitation/create"), isPage)), (message) => [{ ...message, id: "again" }]),
  },
  {
    rule: "ELICIT-33",
    does: "completes a URL elicitation that it never sent",
    shows: [...url, "watch/elicitation-complete"],
    mutation: inject(update("agent_message_chunk"), () => [
      notification("elicitation/complete", { elicitationId: "another" }),
    ]),
  },
  {
    rule: "ELICIT-37",
    does: "sends URLs that contain a password",
    shows: [...url, "watch/elicitation-urls"],
    mutation: inRequest("elicitation/create", (params) => (params.url = "https://me:secret@example.com/")),
  },
  {
    rule: "ERR-03",
    does: "does not continue after an unknown error of a file request",
    shows: ["files/read", "files/read-fails"],
    mutation: swallow(({ error }) => error?.code === 1234),
  },
];
