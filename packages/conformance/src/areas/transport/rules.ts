import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { otherTransport, permitted } from "../../requirements/untested.js";

/** The rules for transports: the framing on stdio, and the requirements for other transports. */
export const transportRules: readonly Requirement[] = defineRules({
  "TRANS-01 both MUST docs": {
    rule: "A peer encodes all JSON-RPC text as UTF-8.",
    spec: "page transports: JSON-RPC messages MUST be UTF-8 encoded.",
    remedy: "Encode all messages as UTF-8.",
    official: { "ACP-TRANSPORT-002": "mandatory" },
  },
  "TRANS-02 both FACT docs; harness":
    "On stdio, the client starts the agent as a child process. The agent reads messages from stdin and writes messages to stdout.",
  "TRANS-03 both MUST NOT docs": {
    rule: "A peer separates messages by `\\n`, and writes no line break inside a message. Line breaks inside strings are JSON-escaped.",
    spec: "page transports#stdio: Messages are delimited by newlines (\\n), and MUST NOT contain embedded newlines.",
    remedy: "Write each message on one line. JSON.stringify escapes line breaks inside strings.",
  },
  "TRANS-04 agent MUST NOT docs": {
    rule: "The agent writes nothing but ACP messages to stdout (no banner, no log, no progress bar).",
    spec: "page transports#stdio: The agent MUST NOT write anything to its stdout that is not a valid ACP message.",
    remedy: "Write logs and banners to stderr, and only messages to stdout.",
    official: { "ACP-TRANSPORT-001": "mandatory" },
  },
  "TRANS-05 client MUST NOT docs": {
    rule: "The client writes nothing but ACP messages to the agent's stdin.",
    spec: "page transports#stdio: The client MUST NOT write anything to the agent's stdin that is not a valid ACP message.",
    remedy: "Write nothing but messages to the agent's stdin.",
  },
  "TRANS-06 agent MAY docs; harness": {
    rule: "The agent may write logs to stderr, as UTF-8 text.",
    official: { "ACP-STDERR-001": "informational" },
  },
  "TRANS-07 client MAY docs; harness": {
    rule: "The client may capture, forward or drop the agent's stderr.",
    tier: {
      is: "advisory",
      because:
        "A client may ignore stderr; this package infers that it has to read it, because a full pipe blocks the agent.",
    },
  },
  "TRANS-08 both SHOULD docs; harness": "Agents and clients support stdio where possible.",
  "TRANS-09 both MAY docs; harness": {
    rule: "A peer may use a custom transport over any bidirectional channel.",
    untested: { client: permitted },
  },
  "TRANS-10 both MUST docs": {
    rule: "A custom transport keeps the JSON-RPC message format and the ACP lifecycle unchanged.",
    spec: "page transports#custom-transports: Implementers who choose to support custom transports MUST ensure they preserve the JSON-RPC message format and lifecycle requirements defined by ACP.",
    remedy: "Send each JSON-RPC message unchanged, one per body, event or text frame.",
    untested: {
      agent: "The kit tests agents over stdio; the scenarios of the remote transports check this rule for servers.",
      client: otherTransport,
    },
  },
  "TRANS-11 both SHOULD docs; review": {
    rule: "The authors of a custom transport document how it makes connections and exchanges messages.",
    untested: { client: otherTransport },
  },
  "TRANS-12 both FACT docs; harness": {
    rule: "On stdio, the client ends the connection by closing the agent's stdin and terminating the child process. Version 1 has no method `shutdown`.",
    official: { "ACP-SHUTDOWN-001": "advisory" },
  },
  "TRANS-13 both FACT derived":
    "The framing does not depend on the reads of the operating system: a message may arrive in many fragments, and several messages may arrive in one read.",
  "TRANS-14 both FACT derived": {
    rule: "A peer handles the messages of one direction in the order in which they were written. The guarantee that `session/update` comes before the response depends on this.",
    untested: {
      client:
        "The responses of a client may come in any order, so they do not show the order in which it handles messages.",
    },
  },
  "TRANS-15 both FACT derived":
    "The protocol specifies no maximum size of a message. The default limit of the TypeScript SDK, 32 MiB per message, may serve as a reference.",
  "TRANS-16 both FACT derived":
    "The protocol does not specify how a peer reads blank lines and `\\r\\n` line breaks. This package recommends that a peer accepts them in input and never writes them.",
});
