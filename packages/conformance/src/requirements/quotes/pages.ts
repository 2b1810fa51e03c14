import { fromPage, type Quote } from "./quote.js";

/** The sentences of the protocol's pages that state rules. */
export const pageQuotes: Readonly<Record<string, Quote>> = {
  "RPC-05": fromPage("overview#error-handling", "Notifications never receive responses (success or error)"),
  "TRANS-01": fromPage("transports", "JSON-RPC messages MUST be UTF-8 encoded."),
  "TRANS-03": fromPage(
    "transports#stdio",
    "Messages are delimited by newlines (\\n), and MUST NOT contain embedded newlines.",
  ),
  "TRANS-04": fromPage(
    "transports#stdio",
    "The agent MUST NOT write anything to its stdout that is not a valid ACP message.",
  ),
  "TRANS-05": fromPage(
    "transports#stdio",
    "The client MUST NOT write anything to the agent's stdin that is not a valid ACP message.",
  ),
  "TRANS-10": fromPage(
    "transports#custom-transports",
    "Implementers who choose to support custom transports MUST ensure they preserve the JSON-RPC message format and lifecycle requirements defined by ACP.",
  ),
  "INIT-01": fromPage(
    "initialization",
    "Before a Session can be created, Clients MUST initialize the connection by calling the initialize method with: …",
  ),
  "INIT-02": fromPage(
    "initialization#version-negotiation",
    "The initialize request MUST include the latest protocol version the Client supports.",
  ),
  "INIT-03": fromPage(
    "initialization",
    "Before a Session can be created, Clients MUST initialize the connection by calling the initialize method with: … The capabilities supported",
  ),
  "INIT-05": fromPage(
    "initialization",
    "The Agent MUST respond with the chosen protocol version and the capabilities it supports.",
  ),
  "INIT-07": fromPage(
    "initialization#version-negotiation",
    "If the Agent supports the requested version, it MUST respond with the same version.",
  ),
  "INIT-08": fromPage(
    "initialization#version-negotiation",
    "Otherwise, the Agent MUST respond with the latest version it supports.",
  ),
  "INIT-10": fromPage(
    "initialization#protocol-version",
    "Clients and Agents MUST agree on a protocol version and act according to its specification.",
  ),
  "INIT-12": fromPage(
    "initialization#capabilities",
    "Therefore, Clients and Agents MUST treat all capabilities omitted in the initialize request as UNSUPPORTED.",
  ),
  "CAP-01": fromPage(
    "session-setup#checking-support",
    "If loadSession is false or not present, the Agent does not support loading sessions and Clients MUST NOT attempt to call session/load.",
  ),
  "CAP-02": fromPage(
    "session-list#checking-support",
    "If sessionCapabilities.list is not present, the Agent does not support listing sessions and Clients MUST NOT attempt to call session/list.",
  ),
  "CAP-03": fromPage(
    "session-delete#checking-support",
    "If sessionCapabilities.delete is omitted or null, the Agent does not support deleting sessions and Clients MUST NOT attempt to call session/delete.",
  ),
  "CAP-04": fromPage(
    "session-setup#checking-support-2",
    "If sessionCapabilities.resume is not present, the Agent does not support resuming sessions and Clients MUST NOT attempt to call session/resume.",
  ),
  "CAP-05": fromPage(
    "session-setup#checking-support-3",
    "If sessionCapabilities.close is not present, the Agent does not support closing sessions and Clients MUST NOT attempt to call session/close.",
  ),
  "CAP-07": fromPage(
    "initialization#session-capabilities",
    "The Agent supports additionalDirectories on supported session lifecycle requests. Omitted or null both mean the Agent does not advertise support.",
  ),
  "CAP-10": fromPage(
    "prompt-turn#1-user-message",
    "Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
  ),
  "CAP-11": fromPage(
    "prompt-turn#1-user-message",
    "Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
  ),
  "CAP-12": fromPage(
    "prompt-turn#1-user-message",
    "Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
  ),
  "CAP-13": fromPage(
    "file-system#checking-support",
    "If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.",
  ),
  "CAP-14": fromPage(
    "file-system#checking-support",
    "If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.",
  ),
  "CAP-15": fromPage(
    "terminals#checking-support",
    "If terminal is false or not present, the Agent MUST NOT attempt to call any terminal methods.",
  ),
  "SESS-01": fromPage(
    "session-setup",
    "Before creating a session, Clients MUST first complete the initialization phase to establish protocol compatibility and capabilities.",
  ),
  "SESS-03": fromPage(
    "session-setup#creating-a-session",
    "The Agent MUST respond with a unique Session ID that identifies this conversation:",
  ),
  "SESS-07": fromPage("overview#argument-requirements", "All file paths in the protocol MUST be absolute."),
  "SESS-08": fromPage(
    "session-setup#working-directory",
    "MUST be used for the session regardless of where the Agent subprocess was spawned",
  ),
  "SESS-09": fromPage("session-setup#working-directory", "MUST remain the base for relative-path resolution"),
  "SESS-10": fromPage("session-setup#working-directory", "MUST be part of the session's effective root set"),
  "SESS-12": fromPage(
    "session-setup#checking-support",
    "If loadSession is false or not present, the Agent does not support loading sessions and Clients MUST NOT attempt to call session/load.",
  ),
  "SESS-13": fromPage(
    "session-setup#loading-a-session",
    "To load an existing session, Clients MUST call the session/load method with: …",
  ),
  "SESS-14": fromPage(
    "session-setup#loading-a-session",
    "The Agent MUST replay the entire conversation to the Client in the form of session/update notifications (like session/prompt).",
  ),
  "SESS-15": fromPage(
    "session-setup#loading-a-session",
    "When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original session/load request.",
  ),
  "SESS-21": fromPage(
    "session-setup#checking-support-2",
    "If sessionCapabilities.resume is not present, the Agent does not support resuming sessions and Clients MUST NOT attempt to call session/resume.",
  ),
  "SESS-22": fromPage(
    "session-setup#resuming-a-session",
    "To resume an existing session without replaying prior messages, Clients MUST call the session/resume method with: …",
  ),
  "SESS-23": fromPage(
    "session-setup#resuming-a-session",
    "Unlike session/load, the Agent MUST NOT replay the conversation history via session/update notifications before responding.",
  ),
  "SESS-26": fromPage(
    "session-setup#checking-support-3",
    "If sessionCapabilities.close is not present, the Agent does not support closing sessions and Clients MUST NOT attempt to call session/close.",
  ),
  "SESS-27": fromPage(
    "session-setup#closing-a-session",
    "The Agent MUST cancel any ongoing work for that session as if session/cancel had been called, then free the resources associated with the session.",
  ),
  "MCP-03": fromPage(
    "session-setup#checking-transport-support",
    "Before using HTTP or SSE transports, Clients MUST verify the Agent's capabilities during initialization:",
  ),
  "LIST-01": fromPage(
    "session-list#checking-support",
    "If sessionCapabilities.list is not present, the Agent does not support listing sessions and Clients MUST NOT attempt to call session/list.",
  ),
  "LIST-05": fromPage(
    "session-list#listing-sessions",
    "When no sessions match the criteria, the Agent MUST return an empty sessions array.",
  ),
  "LIST-07": fromPage("session-list#pagination", "Clients MUST treat a missing nextCursor as the end of results"),
  "LIST-08": fromPage(
    "session-list#pagination",
    "Clients MUST treat cursors as opaque tokens — do not parse, modify, or persist them",
  ),
  "DEL-01": fromPage(
    "session-delete#checking-support",
    "If sessionCapabilities.delete is omitted or null, the Agent does not support deleting sessions and Clients MUST NOT attempt to call session/delete.",
  ),
  "PROMPT-01": fromPage(
    "prompt-turn",
    "Before sending prompts, Clients MUST first complete the initialization phase and session setup.",
  ),
  "PROMPT-03": fromPage(
    "prompt-turn#1-user-message",
    "Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
  ),
  "PROMPT-07": fromPage(
    "prompt-turn#4-check-for-completion",
    "If there are no pending tool calls, the turn ends and the Agent MUST respond to the original session/prompt request with a StopReason:",
  ),
  "PROMPT-08": fromPage(
    "prompt-turn#stop-reasons",
    "When an Agent stops a turn, it must specify the corresponding StopReason:",
  ),
  "TOOL-12": fromPage("overview#argument-requirements", "All file paths in the protocol MUST be absolute."),
  "TOOL-15": fromPage("overview#argument-requirements", "All file paths in the protocol MUST be absolute."),
  "PERM-06": fromPage(
    "prompt-turn#cancellation",
    "The Client MUST respond to all pending session/request_permission requests with the cancelled outcome.",
  ),
  "PLAN-04": fromPage(
    "agent-plan#updating-plans",
    "The Agent MUST send a complete list of all plan entries in each update and their current status.",
  ),
  "PLAN-05": fromPage("agent-plan#updating-plans", "The Client MUST replace the current plan completely."),
  "CFG-04": fromPage(
    "session-config-options#default-values-and-graceful-degradation",
    "Agents MUST always provide a default value for every configuration option.",
  ),
  "CFG-15": fromPage(
    "session-config-options#from-the-client",
    "The Agent MUST respond with the complete list of all configuration options and their current values:",
  ),
  "FS-01": fromPage(
    "file-system#checking-support",
    "Before attempting to use filesystem methods, Agents MUST verify that the Client supports these capabilities by checking the Client Capabilities field in the initialize response:",
  ),
  "FS-02": fromPage(
    "file-system#checking-support",
    "If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.",
  ),
  "FS-03": fromPage("overview#argument-requirements", "All file paths in the protocol MUST be absolute."),
  "FS-08": fromPage("file-system#writing-files", "The Client MUST create the file if it doesn't exist."),
  "TERM-01": fromPage(
    "terminals#checking-support",
    "If terminal is false or not present, the Agent MUST NOT attempt to call any terminal methods.",
  ),
  "TERM-05": fromPage("overview#argument-requirements", "All file paths in the protocol MUST be absolute."),
  "TERM-13": fromPage(
    "terminals#executing-commands",
    "The Agent MUST release the terminal using terminal/release when it's no longer needed.",
  ),
  "ELICIT-15": fromPage(
    "elicitation#user-interaction-requirements",
    "Clients MUST clearly identify the Agent requesting information, respect user privacy, and provide clear decline and cancel controls.",
  ),
  "ELICIT-16": fromPage(
    "elicitation#user-interaction-requirements",
    "For form mode, Clients MUST let users review and modify responses before sending them.",
  ),
  "CANCEL-02": fromPage(
    "prompt-turn#cancellation",
    "Clients MAY cancel an ongoing prompt turn at any time by sending a session/cancel notification:",
  ),
  "CANCEL-04": fromPage(
    "prompt-turn#cancellation",
    "The Client MUST respond to all pending session/request_permission requests with the cancelled outcome.",
  ),
  "CANCEL-06": fromPage(
    "prompt-turn#cancellation",
    "After all ongoing operations have been successfully aborted and pending updates have been sent, the Agent MUST respond to the original session/prompt request with the cancelled stop reason.",
  ),
  "CANCEL-08": fromPage(
    "prompt-turn#cancellation",
    "The Agent MAY send session/update notifications with content or tool call updates after receiving the session/cancel notification, but it MUST ensure that it does so before responding to the session/prompt request.",
  ),
  "EXT-03": fromPage(
    "extensibility#the-_meta-field",
    "Implementations MUST NOT add any custom fields at the root of a type that's part of the specification.",
  ),
  "EXT-05": fromPage(
    "extensibility#custom-requests",
    "Upon receiving a custom request, implementations MUST respond accordingly with the provided id:",
  ),
};
