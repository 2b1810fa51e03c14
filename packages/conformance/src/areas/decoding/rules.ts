import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents } from "../../requirements/untested.js";

/** The rules for decoders: which malformed values a decoder may repair according to the schema. */
export const decodingRules: readonly Requirement[] = defineRules({
  "WIRE-01 both SHOULD schema":
    "With the keyword `x-deserialize-default-on-error`, the receiver treats a malformed value of that optional member as absent or as the default, and does not reject the message. Version 1 has 245 of these places.",
  "WIRE-02 both SHOULD schema":
    "With the keyword `x-deserialize-skip-invalid-items`, the receiver drops invalid elements of an array and keeps valid ones. Version 1 has 19 of these arrays, for example `sessions`, `configOptions`, `authMethods`, the `content` of tool calls, the `entries` of plans and `availableCommands`.",
  "WIRE-03 both SHOULD schema": {
    rule: "With the keyword `x-deserialize-default-on-null`, the receiver reads `null` as empty, and any other malformed value is an error. Version 1 has 14 of these members of requests: `mcpServers`, `additionalDirectories`, `args`, `env` and `headers`.",
    untested: { client: mainlyAgents },
  },
  "WIRE-04 both FACT schema":
    "The receiver reads these members strictly: ids, paths, `prompt`, `line`, `limit`, the `cwd` and `outputByteLimit` of terminals, the `cwd` and `cursor` of `session/list`, the schema constraints and the `content` of elicitations, `stopReason`, and the outcome of a permission request.",
  "WIRE-05 both FACT schema": {
    rule: "Seven arrays are required *and* lenient: `availableModes`, the `options` of groups, `sessions`, `configOptions` (2), the `entries` of plans and `availableCommands`. The sender must always send them.",
    untested: { client: mainlyAgents },
  },
  "WIRE-06 both FACT schema": {
    rule: "The closed enums of version 1 are the stop reason, the kind and status of tool calls, the priority and status of plan entries, the kind of permission options, the role, and the format of strings. The open enums are the config category, the error code, the notice severity and the compaction status; the open unions are the mode and the action of elicitations, and the types of properties and items.",
    untested: { client: mainlyAgents },
  },
});
