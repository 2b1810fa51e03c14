import { type ClientCheck, callWatch } from "../../client/checks.js";
import { schemaWatch } from "../../client/schema-watch.js";
import { select, survivesUpdates } from "../../client/survives-updates.js";
import { asText, itemsOf, member, shown } from "../../wire/values.js";

/** The checks of clients: config options. */
export const configOptionsClientChecks: readonly ClientCheck[] = [
  survivesUpdates("updates/config-categories", ["CFG-08", "CFG-07"], {
    title: "The client accepts config options without a category, or with an unknown one",
    after: "config options with odd categories",
    updates: [
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
    setup: {
      session: {
        configOptions: [select("one", { category: "later" }), select("two"), select("four", { category: 5 })],
      },
    },
  }),
  survivesUpdates("updates/config-unknown-type", ["CFG-11", "CFG-24"], {
    title: "The client ignores config options that are malformed or of an unknown type",
    after: "config options of unknown types",
    updates: [
      {
        sessionUpdate: "config_option_update",
        configOptions: [{ id: "s", name: "Volume", type: "slider", currentValue: 5, min: 0 }, select("one"), 5],
      },
    ],
    setup: {
      session: { configOptions: [{ id: "s", name: "Volume", type: "slider", currentValue: 5 }, select("one"), null] },
    },
  }),
  schemaWatch("set-config-option", ["CFG-14", "RPC-18"], ["session/set_config_option"]),
  callWatch("payload/config-value", ["CFG-13"], {
    title: "`session/set_config_option` names a value that the option lists",
    method: "session/set_config_option",
    judge: ({ params }, state) => {
      const options = state.sessions.get(asText(member(params, "sessionId")))?.configOptions;
      if (!options) return undefined;
      const option = options.find((each) => member(each, "id") === member(params, "configId"));
      const values = itemsOf(member(option, "options")).flatMap((each) => [each, ...itemsOf(member(each, "options"))]);
      const value = member(params, "value");
      if (option && (member(option, "type") !== "select" || values.some((each) => member(each, "value") === value)))
        return true;
      return {
        sent: shown(option ?? options),
        explanation: option
          ? "A client sets only a value that the option lists."
          : "A client sets only an option that the session offers.",
      };
    },
  }),
  callWatch("payload/config-over-modes", ["CFG-22"], {
    title: "A client that uses config options does not set modes",
    judge: ({ method, params }, state) => {
      const session = state.sessions.get(asText(member(params, "sessionId")));
      if (!session?.modes || !session.configOptions) return undefined;
      if (method !== "session/set_mode") return method === "session/set_config_option" || undefined;
      return { sent: "A session with modes and config options" };
    },
  }),
];
