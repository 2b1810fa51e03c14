import { type ClientCheck, clientWatch } from "../../client/checks.js";
import { schemaRule } from "../../client/schema-rule.js";
import { select, survivesUpdates } from "../../client/survives-updates.js";
import { callOf } from "../../client/wire-event.js";
import { asText, itemsOf, member, shown } from "../../wire/values.js";

/** The checks of clients: config options. */
export const configOptionsClientChecks: readonly ClientCheck[] = [
  survivesUpdates(
    "updates/config-categories",
    "The client accepts config options without a category, or with an unknown one",
    ["CFG-08", "CFG-07"],
    "config options with odd categories",
    [
      {
        sessionUpdate: "config_option_update",
        configOptions: [
          select("one"),
          select("two", { category: "_own" }),
          select("three", { category: "later" }),
          select("four", { category: 5 }),
        ],
      },
    ],
    {
      session: {
        configOptions: [select("one", { category: "later" }), select("two"), select("four", { category: 5 })],
      },
    },
  ),
  survivesUpdates(
    "updates/config-unknown-type",
    "The client ignores config options that are malformed or of an unknown type",
    ["CFG-11", "CFG-24"],
    "config options of unknown types",
    [
      {
        sessionUpdate: "config_option_update",
        configOptions: [{ id: "s", name: "Volume", type: "slider", currentValue: 5, min: 0 }, select("one"), 5],
      },
    ],
    { session: { configOptions: [{ id: "s", name: "Volume", type: "slider", currentValue: 5 }, select("one"), null] } },
  ),
  clientWatch(schemaRule("set-config-option", ["CFG-14", "RPC-18"], ["session/set_config_option"])),
  clientWatch({
    id: "payload/config-value",
    title: "`session/set_config_option` names a value that the option lists",
    verifies: ["CFG-13"],
    judge: (event, state) => {
      const call = callOf(event);
      const options = state.sessions.get(asText(member(call?.params, "sessionId")))?.configOptions;
      if (call?.method !== "session/set_config_option" || !options) return undefined;
      const option = options.find((each) => member(each, "id") === member(call.params, "configId"));
      const values = itemsOf(member(option, "options")).flatMap((each) => [each, ...itemsOf(member(each, "options"))]);
      const value = member(call.params, "value");
      if (option && (member(option, "type") !== "select" || values.some((each) => member(each, "value") === value)))
        return "fine";
      return {
        sent: shown(option ?? options),
        received: shown(call),
        explanation: option
          ? "A client sets only a value that the option lists."
          : "A client sets only an option that the session offers.",
      };
    },
  }),
  clientWatch({
    id: "payload/config-over-modes",
    title: "A client that uses config options does not set modes",
    verifies: ["CFG-22"],
    judge: (event, state) => {
      const call = callOf(event);
      const session = state.sessions.get(asText(member(call?.params, "sessionId")));
      if (!call || !session?.modes || !session.configOptions) return undefined;
      if (call.method !== "session/set_mode") return call.method === "session/set_config_option" ? "fine" : undefined;
      return { sent: "A session with modes and config options", received: shown(call) };
    },
  }),
];
