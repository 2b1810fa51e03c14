import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";
import { notVisible } from "../../requirements/untested.js";

/** The rules for the config options of a session. */
export const configOptionsRules: readonly Requirement[] = defineFeatureRules("configOptions", {
  "CFG-01 agent MAY docs":
    "The agent may include `configOptions[]` in the results of `session/new`, `session/load` and `session/resume`.",
  "CFG-02 agent MUST schema": {
    rule: "The agent sends `id`, `name`, `type` and `currentValue` with a config option, and `options` with a `select`. `description` and `category` are optional.",
    spec: "schema SessionConfigOption/required",
    remedy: "Send id, name, type and currentValue with every option, and options with every select.",
    official: { "ACP-CONFIG-001": "capability" },
  },
  "CFG-03 agent FACT schema":
    "`select.options` is either a flat list of `{value,name,description?}` or a list of groups `{group,name,options[]}`. A list does not mix the two.",
  "CFG-04 agent MUST docs": {
    rule: "Every option has a default: the agent always sends `currentValue`, and works if the client never changes an option.",
    spec: "page session-config-options#default-values-and-graceful-degradation: Agents MUST always provide a default value for every configuration option.",
    remedy: "Give every option a currentValue, and use that value in turns until the client sets another one.",
  },
  "CFG-05 agent SHOULD docs": "The agent sends the options with the highest priority first.",
  "CFG-06 client SHOULD docs; review":
    "The client shows the options in the order of the list, uses that order to resolve ties, and prefers the first options if it has little space.",
  "CFG-07 both MUST NOT docs, schema": {
    rule: "Correct behaviour never depends on `category`.",
    feature: null,
    spec: "schema SessionConfigOptionCategory: It MUST NOT be required for correctness.",
    brokenBy: ["CFG-08"],
    remedy: "Use the category of an option only for display. No behaviour may depend on it.",
    untested: {
      agent: "It is about categories that the agent itself sends; no message of a client has an effect on them.",
    },
  },
  "CFG-08 client MUST docs, schema": {
    rule: "The client handles missing or unknown categories gracefully.",
    feature: null,
    spec: "schema SessionConfigOptionCategory: Clients MUST handle missing or unknown categories gracefully.",
    remedy: "Show an option without a category, or with an unknown one, like any other option.",
  },
  "CFG-09 both FACT docs, schema": {
    rule: "The reserved categories are `mode`, `model`, `model_config` and `thought_level`. Names with a leading `_` are free, and all other names are reserved.",
    untested: { client: notVisible },
  },
  "CFG-10 client SHOULD docs; review": "The client renders `model_config` options near the `model` selector.",
  "CFG-11 client SHOULD docs": {
    rule: "The client ignores an option with an unknown `type`. The agent keeps the default of that option.",
    feature: null,
  },
  "CFG-12 agent MUST NOT docs": {
    rule: "The agent sends no `boolean` options unless the client advertised them (CAP-18). It sends a `select` option instead, or none.",
    feature: null,
    spec: 'schema SessionConfigOptionsCapabilities/properties/boolean: Omitted or `null` both mean the client does not advertise support. Supplying `{}` means agents may include `type: "boolean"` entries in `configOptions`',
    brokenBy: ["CAP-18"],
    remedy: ifClientHas(
      "options of the type boolean",
      "session.configOptions.boolean is an object",
      "Offer a select option, or none, otherwise.",
    ),
    official: { "ACP-CONFIG-003": "mandatory" },
  },
  "CFG-13 client FACT docs, schema":
    'For a select option, the client sends `session/set_config_option` with `{sessionId, configId, value:"<listed value>"}`, without a `type`.',
  "CFG-14 client FACT docs, schema":
    'For a boolean option, the client sends `{..., type:"boolean", value:true|false}`. A boolean value without `type` is invalid.',
  "CFG-15 agent MUST docs": {
    rule: "The agent responds to `session/set_config_option` with `{configOptions:[...]}`, with **all** options and their current values, not only the changed one.",
    spec: "page session-config-options#from-the-client: The Agent MUST respond with the complete list of all configuration options and their current values:",
    remedy: "Respond to session/set_config_option with the complete list of options and their current values.",
    official: { "ACP-CONFIG-002": "capability" },
  },
  "CFG-16 agent FACT docs":
    "The complete list of the response also has the changes that follow from the request: of values, of availability, and of other options.",
  "CFG-17 agent FACT docs":
    "The agent sends its own changes as `config_option_update {configOptions}`, also with the complete list.",
  "CFG-18 both FACT docs": "Values may change at any time, whether a turn runs or not.",
  "CFG-19 agent FACT later page":
    "The agent responds to an unknown `configId` or `value` with `-32602`. The state stays unchanged.",
  "CFG-20 agent FACT schema": "The agent reads an unknown `type` with a string `value` as a plain value id.",
  "CFG-21 agent SHOULD docs":
    'During the transition, the agent offers settings that are modes both as an option with `category:"mode"` and as `modes`, and keeps the two consistent.',
  "CFG-22 client SHOULD docs": "If both are present, a client that supports config options uses only `configOptions`.",
  "CFG-23 client SHOULD docs": {
    rule: "A client that does not support config options uses `modes` instead.",
    untested: {
      client:
        "Only the author of the client knows why the client uses modes; a watch checks that it sets only modes that exist (MODE-02).",
    },
  },
  "CFG-24 client FACT schema": { rule: "The client drops invalid entries of a config list one by one.", feature: null },
});
