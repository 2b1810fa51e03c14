import type { Mutant } from "../wire/mutation.js";
import { alter, both, first, injectBefore, notification, request, result, type When } from "../wire/operators.js";

/** Returns whether the client of the connection advertises no terminals. */
const noTerminals: When = (_, { initialize }) => initialize.clientCapabilities?.terminal !== true;

/** The rules about features of the client that an agent may use. */
export const gateMutants: readonly Mutant[] = [
  gate(["CAP-13", "INIT-12", "FS-01", "FS-02"], "reads files", "writing-and-pages", "fs/read_text_file", {
    path: "/x",
  }),
  gate(["CAP-14", "INIT-12", "FS-01", "FS-02"], "writes files", "reading-and-forms", "fs/write_text_file", {
    path: "/x",
    content: "",
  }),
  gate(["CAP-15", "TERM-01"], "runs commands", "reading-and-forms", "terminal/create", { command: "ls" }),
  gate(["CAP-16", "ELICIT-01"], "requests forms", "writing-and-pages", "elicitation/create", {
    mode: "form",
    message: "?",
    requestedSchema: { type: "object", properties: {} },
  }),
  gate(["CAP-17", "ELICIT-01"], "opens pages", "reading-and-forms", "elicitation/create", {
    mode: "url",
    message: "?",
    elicitationId: "e",
    url: "https://example.com/",
  }),
  {
    rule: "CAP-18",
    also: ["CFG-12"],
    does: "sends boolean options to clients without that capability",
    shows: ["capabilities/client-with-reading", "watch/capabilities/boolean-options"],
    mutation: alter(both(result("session/new"), noTerminals), (message) =>
      message.result.configOptions?.push({ id: "b", name: "B", type: "boolean", currentValue: true }),
    ),
  },
  {
    rule: "CAP-19",
    also: ["AUTH-03"],
    does: "lists a terminal login to clients without that capability",
    shows: ["initialize/names", "watch/capabilities/terminal-logins"],
    mutation: alter(
      result("initialize"),
      (message) => (message.result.authMethods = [{ id: "t", name: "T", type: "terminal" }]),
    ),
  },
  unasked(["CAP-20", "NOTICE-01"], "notices", { sessionUpdate: "notice", severity: "info", title: "x" }),
  unasked(["CAP-21", "COMPACT-01"], "compaction", {
    sessionUpdate: "compaction_update",
    compactionId: "c",
    status: "in_progress",
  }),
];

/** Sends a request to a client that offers only other things. */
function gate(rules: readonly string[], does: string, client: string, method: string, params: object): Mutant {
  const [rule = "", ...also] = rules;
  return {
    rule,
    also,
    does: `${does} with a client that only advertises ${client.replaceAll("-", " ")}`,
    shows: [`capabilities/client-with-${client}`],
    mutation: injectBefore(first(both(result("session/prompt"), noTerminals)), (message, wire) => [
      request(method, { sessionId: wire.askedByKit(message)?.params.sessionId, ...params }),
    ]),
  };
}

/** Sends an update that the client did not ask for. */
function unasked(rules: readonly string[], what: string, sent: object): Mutant {
  const [rule = "", ...also] = rules;
  return {
    rule,
    also,
    does: `sends updates about ${what} to clients without that capability`,
    shows: ["capabilities/client-with-reading", `watch/capabilities/${what}`],
    mutation: injectBefore(first(both(result("session/prompt"), noTerminals)), (message, wire) => [
      notification("session/update", { sessionId: wire.askedByKit(message)?.params.sessionId, update: sent }),
    ]),
  };
}
