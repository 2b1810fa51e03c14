import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for the `messageId` of message chunks. */
export const messageIdsRules: readonly Requirement[] = defineRules({
  "MSG-01 agent MAY docs, schema":
    "`user_message_chunk`, `agent_message_chunk` and `agent_thought_chunk` may have a `messageId` (string).",
  "MSG-02 both FACT docs, schema": {
    rule: "Chunks with the same `messageId` belong to the same message. A different id means that a new message has started.",
    untested: { client: notVisible },
  },
  "MSG-03 both FACT rfd": {
    rule: "A `messageId` that is `null` equals an omitted one: the message has no id.",
    untested: { client: notVisible },
  },
  "MSG-04 agent MUST docs, rfd": {
    rule: "Only the agent creates message ids, and each is unique within the session. A prompt of version 1 has no member for an id.",
    spec: "schema MessageId: Unique identifier for a message within a session.",
    remedy: "Create a new messageId for each message of the session, and keep it for all of its chunks.",
  },
  "MSG-05 client MUST NOT rfd": {
    rule: "The client compares ids as opaque strings, and never interprets them.",
    spec: "rfd message-id#how-should-agents-generate-message-ids: Clients MUST treat messageId as an opaque string and not rely on any particular format or structure.",
    untested: { client: notVisible },
  },
  "MSG-06 agent SHOULD rfd":
    "If the agent supports ids, it also sends them with the user's messages, new and replayed.",
  "MSG-07 client FACT derived": {
    rule: "Without ids, the client can only guess the boundaries of messages, for example from a change of the variant or a tool call between chunks.",
    untested: { client: notVisible },
  },
});
