import { type ClientCheck, clientWatch } from "../../client/checks.js";
import { select, survivesUpdates } from "../../client/survives-updates.js";
import { callOf } from "../../client/wire-event.js";
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
  survivesUpdates(
    "updates/modes",
    "The client accepts changes of modes and of config options",
    ["MODE-05", "CFG-18"],
    "changes of the mode and of options",
    [
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
      { sessionUpdate: "current_mode_update", currentModeId: "unknown" },
      { sessionUpdate: "config_option_update", configOptions: [select("one")] },
    ],
    { session: { modes, configOptions: [select("one", { category: "mode" })] } },
  ),
  clientWatch({
    id: "payload/mode",
    title: "`session/set_mode` names a mode of the session",
    verifies: ["MODE-02"],
    judge: (event, state) => {
      const call = callOf(event);
      const modes = state.sessions.get(asText(member(call?.params, "sessionId")))?.modes;
      if (call?.method !== "session/set_mode" || !modes) return undefined;
      if (modes.includes(asText(member(call.params, "modeId")))) return "fine";
      return { sent: `The modes ${shown(modes)}`, received: shown(call) };
    },
  }),
];
