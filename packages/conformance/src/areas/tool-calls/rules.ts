import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for tool calls. */
export const toolCallsRules: readonly Requirement[] = defineRules({
  "TOOL-01 agent SHOULD docs": "The agent reports each tool call that the model requests, with a `tool_call` update.",
  "TOOL-02 agent MUST schema": {
    rule: "The agent sends a `toolCallId`, which is unique within the session, and a `title` with `tool_call`.",
    spec: "schema ToolCallId: Unique identifier for a tool call within a session.",
    remedy: "Create a new toolCallId for each tool call of the session, and send a title with it.",
  },
  "TOOL-03 both FACT schema":
    "The default of `kind` is `other`. Its values are `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode` and `other`; the list in the page's text omits `switch_mode`. An unknown value decodes to the default.",
  "TOOL-04 both FACT docs, schema":
    "The default of `status` is `pending`. Its values are `pending` (the input is being streamed, or approval is pending), `in_progress`, `completed` and `failed`. `cancelled` is **not** a value of version 1.",
  "TOOL-05 both FACT docs, schema": {
    rule: "`tool_call_update` requires only `toolCallId`. The agent sends only the members that changed.",
    untested: { client: notVisible },
  },
  "TOOL-06 client FACT schema": {
    rule: "In the updates of version 1, `null` equals an omitted member, and no member can be cleared. The schema states this explicitly for `name`; scalars and arrays follow the same model.",
    untested: { client: notVisible },
  },
  "TOOL-07 client FACT schema": {
    rule: "`content` and `locations` in an update replace the whole collection; `[]` empties it.",
    untested: { client: notVisible },
  },
  "TOOL-08 agent SHOULD docs":
    "When the agent has the permission, or needs none, it runs the tool and reports `in_progress`.",
  "TOOL-09 agent MAY docs": "The agent may send further updates about the progress while the tool runs.",
  "TOOL-10 agent FACT docs": "When the tool has finished, the agent sends the final status and any content.",
  "TOOL-11 agent MUST schema": {
    rule: 'The agent wraps each content item of a tool call: `{type:"content",content:<block>}`, `{type:"diff",path,oldText?,newText}` or `{type:"terminal",terminalId}`. A content block without the wrapper is invalid, although one example of the pages shows it.',
    spec: "schema ToolCallContent/oneOf",
    remedy: 'Wrap the content of tool calls: { "type": "content", "content": block }, a diff, or a terminal.',
  },
  "TOOL-12 agent MUST docs, schema": {
    rule: "The agent sends an absolute `diff.path` and a `newText`. An omitted or `null` `oldText` means a new file.",
    spec: "page overview#argument-requirements: All file paths in the protocol MUST be absolute.",
    remedy: "Resolve the path of a diff against the cwd of the session before you send it.",
  },
  "TOOL-13 agent FACT schema":
    "A `terminal` item refers to a terminal that the agent created with `terminal/create`. The agent adds the item before `terminal/release`.",
  "TOOL-14 client FACT docs; review":
    "The client shows the live output of the terminal, and continues to show it after the release.",
  "TOOL-15 agent MUST docs, schema": {
    rule: "The agent sends an absolute `locations[].path`. The optional `line` is 1-based.",
    spec: "page overview#argument-requirements: All file paths in the protocol MUST be absolute.",
    remedy:
      "Resolve the paths of locations against the cwd of the session before you send them, because a model may return relative paths.",
  },
  "TOOL-16 both FACT schema":
    "In the schema, `rawInput` and `rawOutput` are any JSON value; the text of the page says object.",
  "TOOL-17 agent SHOULD rfd, schema":
    "`name`, which is stable since Nov 2026, is the programmatic name of the tool. The agent sends it in the first report if known, and changes it later only to correct it. The name is opaque and grants no authority; `null` or an omitted `name` in an update leaves it unchanged.",
  "TOOL-18 client FACT derived":
    "Version 1 does not specify an update for an unknown `toolCallId`, or a second `tool_call` with a known id. The client should create the call if it is unknown, and update it otherwise.",
  "TOOL-19 client FACT schema":
    "The client skips invalid entries of `content` and `locations` one by one, not the whole update.",
});
