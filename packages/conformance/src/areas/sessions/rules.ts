import { defineRules } from "../../requirements/define-rules.js";
import { ifAgentHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents, permitted, severalSessions } from "../../requirements/untested.js";

/** The rules for creating, loading, resuming and closing sessions. */
export const sessionsRules: readonly Requirement[] = defineRules({
  "SESS-01 client MUST docs": {
    rule: "The client waits until initialization is complete before it calls any method of sessions.",
    spec: "page session-setup: Before creating a session, Clients MUST first complete the initialization phase to establish protocol compatibility and capabilities.",
    remedy: "Wait for the response to initialize before you call any method of sessions.",
  },
  "SESS-02 client MUST schema": {
    rule: "The client sends `cwd` and `mcpServers` with `session/new`. `mcpServers` is an array, which may be empty.",
    spec: "schema NewSessionRequest/required",
    remedy: "Send cwd and mcpServers with session/new; mcpServers may be an empty list.",
  },
  "SESS-03 agent MUST docs": {
    rule: "The agent responds to `session/new` with a unique `sessionId` (string).",
    spec: "page session-setup#creating-a-session: The Agent MUST respond with a unique Session ID that identifies this conversation:",
    remedy: "Respond to session/new with a sessionId that no other session has, for example a UUID.",
    official: { "ACP-SESSION-001": "mandatory", "ACP-SESSION-002": "mandatory" },
  },
  "SESS-04 both FACT docs, schema": {
    rule: "Sessions are independent contexts. One connection may have several sessions at once.",
    untested: { client: severalSessions },
  },
  "SESS-05 client FACT schema": "`sessionId` is opaque. The client sends it unchanged in all later calls.",
  "SESS-06 agent MAY docs":
    "The agent may include `modes` and `configOptions` in the results of `session/new`, `session/load` and `session/resume`.",
  "SESS-07 client MUST docs": {
    rule: "The client sends an absolute path as `cwd`.",
    spec: "page overview#argument-requirements: All file paths in the protocol MUST be absolute.",
    remedy: "Send an absolute path as cwd.",
  },
  "SESS-08 agent MUST docs; harness": {
    rule: "The agent uses `cwd` for the session, wherever the agent process was started.",
    spec: "page session-setup#working-directory: MUST be used for the session regardless of where the Agent subprocess was spawned",
    brokenBy: ["SESS-09"],
    remedy: "Run tools and commands of a session in its cwd, not in the directory of the process.",
  },
  "SESS-09 agent MUST docs; harness": {
    rule: "The agent resolves relative paths against `cwd`.",
    spec: "page session-setup#working-directory: MUST remain the base for relative-path resolution",
    remedy: "Resolve relative paths against the cwd of the session.",
  },
  "SESS-10 agent MUST docs; harness": {
    rule: "`cwd` is itself one of the roots of the session. The root set is `[cwd, ...additionalDirectories]`.",
    spec: "page session-setup#working-directory: MUST be part of the session's effective root set",
    untested: { agent: "Whether a directory is in scope shows only in refusals, and agents differ in their refusals." },
  },
  "SESS-11 agent SHOULD docs; harness": "The tools of the agent that access files stay inside the root set.",
  "SESS-12 client MUST NOT docs": {
    rule: "The client does not call `session/load` if `loadSession` is false or absent.",
    spec: "page session-setup#checking-support: If loadSession is false or not present, the Agent does not support loading sessions and Clients MUST NOT attempt to call session/load.",
    brokenBy: ["CAP-01"],
    remedy: ifAgentHas("session/load", "loadSession is true"),
  },
  "SESS-13 client MUST docs, schema": {
    rule: "The client sends `sessionId`, `cwd` and `mcpServers` with `session/load`. All three are required.",
    feature: "session/load",
    spec: "page session-setup#loading-a-session: To load an existing session, Clients MUST call the session/load method with: …",
    remedy: "Send sessionId, cwd and mcpServers with session/load.",
  },
  "SESS-14 agent MUST docs": {
    rule: "On `session/load`, the agent replays the **whole** conversation as `session/update` notifications of that session.",
    feature: "session/load",
    spec: "page session-setup#loading-a-session: The Agent MUST replay the entire conversation to the Client in the form of session/update notifications (like session/prompt).",
    remedy: "On session/load, send the whole conversation as updates. If you cannot, do not advertise loadSession.",
  },
  "SESS-15 agent MUST docs": {
    rule: "The agent responds to `session/load` only after it has sent the last replayed entry.",
    feature: "session/load",
    spec: "page session-setup#loading-a-session: When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original session/load request.",
    remedy: "Respond to session/load after the last update of the history.",
    official: { "ACP-LOAD-002": "capability" },
  },
  "SESS-16 agent FACT docs": {
    rule: "The agent replays the user's messages as `user_message_chunk`, and its own output as `agent_message_chunk`, `agent_thought_chunk`, `tool_call` and so on, in the order of the conversation.",
    feature: "session/load",
  },
  "SESS-17 agent FACT docs, schema": {
    rule: "The result of `session/load` is an object, at least `{}`, and may have `modes` and `configOptions`. An example of the pages shows `null`, which contradicts the schema: an agent should send `{}`, and a client should also accept `null`.",
    feature: "session/load",
    official: { "ACP-LOAD-001": "capability", "ACP-LOAD-003": "advisory" },
  },
  "SESS-18 both FACT docs": {
    rule: "After `session/load`, prompts continue the conversation as if it had not been interrupted.",
    feature: "session/load",
  },
  "SESS-19 agent FACT docs, rfd": {
    rule: "Each `messageId` in a replay is unique and opaque. It need not equal the id that the message had when it was first sent.",
    feature: "session/load",
  },
  "SESS-20 agent SHOULD NOT rfd": {
    rule: "The agent replays no `notice` updates. It may send a new notice for a condition that still applies.",
    feature: "session/load",
  },
  "SESS-21 client MUST NOT docs": {
    rule: "The client does not call `session/resume` without `sessionCapabilities.resume`.",
    spec: "page session-setup#checking-support-2: If sessionCapabilities.resume is not present, the Agent does not support resuming sessions and Clients MUST NOT attempt to call session/resume.",
    brokenBy: ["CAP-04"],
    remedy: ifAgentHas("session/resume", "sessionCapabilities.resume is an object"),
  },
  "SESS-22 client MUST docs, schema": {
    rule: "The client sends `sessionId` and `cwd` with `session/resume`. The pages list `mcpServers` as required, but it is optional in the schema.",
    feature: "session/resume",
    spec: "page session-setup#resuming-a-session: To resume an existing session without replaying prior messages, Clients MUST call the session/resume method with: …",
    remedy: "Send sessionId, cwd and mcpServers with session/resume.",
  },
  "SESS-23 agent MUST NOT docs, derived": {
    rule: "The agent does not replay the history before it responds to `session/resume`.",
    feature: "session/resume",
    spec: "page session-setup#resuming-a-session: Unlike session/load, the Agent MUST NOT replay the conversation history via session/update notifications before responding.",
    remedy:
      "Restore the conversation on session/resume without sending it. Only session/load replays the conversation.",
    official: { "ACP-RESUME-002": "capability" },
  },
  "SESS-24 agent FACT docs": {
    rule: "On `session/resume`, the agent restores the context and reconnects the MCP servers. It responds when the session is ready.",
    feature: "session/resume",
    official: { "ACP-RESUME-001": "capability" },
  },
  "SESS-25 agent MAY docs": {
    rule: "The agent may include the state of modes and config options in the result of `session/resume`. The pages also mention the state of models.",
    feature: "session/resume",
  },
  "SESS-26 client MUST NOT docs": {
    rule: "The client does not call `session/close` without `sessionCapabilities.close`.",
    spec: "page session-setup#checking-support-3: If sessionCapabilities.close is not present, the Agent does not support closing sessions and Clients MUST NOT attempt to call session/close.",
    brokenBy: ["CAP-05"],
    remedy: ifAgentHas("session/close", "sessionCapabilities.close is an object"),
  },
  "SESS-27 agent MUST docs, schema": {
    rule: 'On `session/close`, the agent first cancels the running work of the session as `session/cancel` does, and responds to an open prompt with `stopReason:"cancelled"`. Then it frees the resources of the session.',
    feature: "session/close",
    spec: "page session-setup#closing-a-session: The Agent MUST cancel any ongoing work for that session as if session/cancel had been called, then free the resources associated with the session.",
    remedy: "Cancel the running turn on session/close, and respond to its prompt with the stop reason cancelled.",
    official: { "ACP-CLOSE-002": "capability" },
  },
  "SESS-28 agent FACT docs": {
    rule: "The agent responds to a successful `session/close` with `{}`.",
    feature: "session/close",
    official: { "ACP-CLOSE-001": "capability" },
  },
  "SESS-29 agent MAY docs": {
    rule: "The agent may respond to `session/close` of an unknown or inactive session with an error. The newer page about errors says that it SHOULD be `-32002`.",
    feature: "session/close",
  },
  "SESS-30 agent FACT later page":
    "A session is *active on a connection* from the moment it was created, loaded or resumed there until it is closed.",
  "SESS-31 agent SHOULD later page": {
    rule: "The agent responds to a request for a session that is unknown, or not active on this connection, with the error `-32002` and `error.data.sessionId`. This applies to `session/prompt`, `session/set_mode`, `session/set_config_option` and `session/close`, and to `session/load` and `session/resume` of sessions that do not exist.",
    official: { "ACP-INFO-UNKNOWNSESSION-001": "informational" },
  },
  "SESS-32 client FACT derived":
    "The client ignores a `session/update` of a session that it does not know. The update must not break the connection.",
  "SESS-33 both FACT schema": {
    rule: "Malformed `mcpServers`, `additionalDirectories` or `cwd` of `session/new`, `session/load` and `session/resume` are an error (`-32602`). Decoders that follow the schema of Nov 2026 read only an explicit `null` of the two arrays as empty; in Aug 2026 they skipped invalid items silently.",
    untested: { client: mainlyAgents },
  },
  "SESS-34 agent SHOULD rfd": {
    rule: "On `session/load` and `session/resume`, the agent sends a `usage_update` if it has the data about the context.",
    feature: "session/load",
  },
  "SESS-35 both FACT derived": {
    rule: "Version 1 does not specify the effect of `session/load` or `session/resume` of a session that is already active, of `session/load` with a different `cwd`, or of `session/load` of the same session by two connections at once.",
    untested: { client: permitted },
  },
});
