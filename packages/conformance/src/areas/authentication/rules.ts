import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifAgentHas, ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { personLogsIn } from "../../requirements/untested.js";

/** The rules for logging in and out. */
export const authenticationRules: readonly Requirement[] = defineFeatureRules("authentication", {
  "AUTH-01 agent FACT docs, schema": {
    rule: "The agent advertises its login methods in `initialize.result.authMethods`, which defaults to `[]`. Each method has `id` and `name`, and optionally `description`.",
    official: { "ACP-AUTH-001": "advisory" },
  },
  "AUTH-02 both FACT docs, schema":
    "An entry without `type` has the type `agent`: the agent performs the login itself when the client calls `authenticate`.",
  "AUTH-03 agent MUST docs, schema": {
    rule: 'The agent lists an entry with `type:"terminal"` only if the client sent `clientCapabilities.auth.terminal:true`.',
    feature: null,
    spec: "schema AuthMethodTerminal: Agents MUST advertise this method only when the client enabled its terminal authentication capability.",
    brokenBy: ["CAP-19"],
    remedy: ifClientHas('login methods of the type "terminal"', "auth.terminal is true"),
    official: { "ACP-AUTH-002": "mandatory" },
  },
  "AUTH-04 client MUST schema": {
    rule: "The client sends one of the advertised ids as `authenticate.methodId`.",
    spec: "schema AuthenticateRequest/properties/methodId: Must be one of the methods advertised in the initialize response.",
    remedy: "Pass the id of one of the agent's authMethods to authenticate.",
  },
  "AUTH-05 client MUST NOT docs, schema": {
    rule: "The client never passes the id of a `terminal` method to `authenticate`.",
    feature: null,
    spec: "schema AuthMethodTerminal: The client MUST NOT pass this method to `authenticate`.",
    remedy:
      "Run a terminal method as a process in a terminal, with the agent's command and the method's args and env. Never pass its id to authenticate.",
  },
  "AUTH-06 agent FACT docs, schema": {
    rule: "The agent responds to a successful `authenticate` with `{}`. Afterwards, `session/new` no longer fails with `-32000`.",
    official: { "ACP-AUTH-003": "capability" },
  },
  "AUTH-07 agent FACT schema":
    "While the client is not authenticated, the agent responds with `-32000` to requests that need a login. The schema names `session/new`; the agent decides about the others.",
  "AUTH-08 client FACT docs":
    "After the error `-32000`, the client offers the advertised methods to the user, and retries the request after the login.",
  "AUTH-09 client FACT docs; harness": {
    rule: "For a terminal login, the client starts a separate interactive process with the same program and base launch configuration as the ACP connection. It appends the `args` of the entry and merges its `env` over the base environment, where equal names are replaced.",
    untested: { client: personLogsIn },
  },
  "AUTH-10 agent FACT docs":
    "The agent cannot supply a command in the entry. Clients take the command only from their own configuration.",
  "AUTH-11 client FACT docs; harness": {
    rule: "The exit status 0 means success. Any other status, death by a signal, no status, and cancellation by the user mean failure.",
    untested: { client: personLogsIn },
  },
  "AUTH-12 client FACT docs": {
    rule: "After a successful terminal login, the client reconnects and sends `initialize` again.",
    untested: { client: personLogsIn },
  },
  "AUTH-13 client FACT docs; harness": {
    rule: "The output of the terminal contains no marker of success. A client may recognise one only as an extension of its own.",
    untested: { client: personLogsIn },
  },
  "AUTH-14 agent SHOULD docs, rfd; harness":
    "The `args` that the agent supplies start a flow that only logs in and then exits.",
  "AUTH-15 client FACT docs, rfd": {
    rule: "The client sends `auth.terminal:true` only if it can start the agent with the same command in an interactive terminal. Remote clients that cannot do so omit it.",
    untested: { client: personLogsIn },
  },
  "AUTH-16 client MUST NOT docs": {
    rule: "The client does not call `logout` unless `agentCapabilities.auth.logout` is an object.",
    feature: null,
    spec: "copy docs/protocol/v1/draft/authentication.mdx protocol/v1/authentication#advertising-authentication: If agentCapabilities.auth.logout is omitted or null, the Agent does not support logout and Clients MUST NOT call it.",
    brokenBy: ["CAP-06"],
    remedy: ifAgentHas("logout", "auth.logout is an object"),
  },
  "AUTH-17 agent FACT docs": {
    rule: "The agent responds to a successful `logout` with `{}`. Afterwards, the creation of a session requires a new login, and fails with `-32000` until then.",
    feature: "logout",
    official: { "ACP-AUTH-004": "capability" },
  },
  "AUTH-18 agent MAY docs": {
    rule: "The effect of a logout on running sessions is undefined: the agent may end them, keep them, or respond to their requests with `-32000`.",
    feature: "logout",
  },
  "AUTH-19 client SHOULD docs": {
    rule: "After a logout, the client expects authentication errors of active sessions, and prompts the user to log in again.",
    feature: "logout",
  },
  "AUTH-20 both FACT schema": {
    rule: "The `agent` variant has no tag. Decoders that follow the schema therefore read an entry with an unknown `type` and valid `id` and `name` as an `agent` method. Code generators should keep the original `type`, so that a UI can hide methods that it does not know.",
    feature: null,
  },
  "AUTH-21 client FACT schema":
    "The client reads absent or `null` `args` and `env` of a terminal method as empty. Any other malformed value makes that entry invalid; the client drops the entry, not the whole response.",
});
