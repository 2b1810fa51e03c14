import { type ClientCheck, callWatch } from "../../client/checks.js";
import { select, survivesUpdates } from "../../client/survives-updates.js";
import { asText, member, shown } from "../../wire/values.js";

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

/** The checks of clients: modes. */
export const modesClientChecks: readonly ClientCheck[] = [
  survivesUpdates("updates/modes", ["MODE-05", "CFG-18"], {
    title: "The client accepts changes of modes and of config options",
    after: "changes of the mode and of options",
    updates: [
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
      { sessionUpdate: "current_mode_update", currentModeId: "unknown" },
      { sessionUpdate: "config_option_update", configOptions: [select("one")] },
    ],
    setup: { session: { modes, configOptions: [select("one", { category: "mode" })] } },
  }),
  callWatch("payload/mode", ["MODE-02"], {
    title: "`session/set_mode` names a mode of the session",
    method: "session/set_mode",
    judge: ({ params }, state) => {
      const modes = state.sessions.get(asText(member(params, "sessionId")))?.modes;
      return modes && (modes.includes(asText(member(params, "modeId"))) || { sent: `The modes ${shown(modes)}` });
    },
  }),
];
