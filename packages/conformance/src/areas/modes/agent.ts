import type { AgentContext, TestSession } from "../../agent/agent-context.js";
import { type AgentCheck, sessionScenario } from "../../agent/agent-scenario.js";
import { acceptsDuringTurn } from "../../agent/request-during-turn.js";
import { resultWith, schemaWatch, update } from "../../agent/schema-watch.js";
import { tourStop } from "../../agent/tour-stop.js";
import { isError, isObjectResult } from "../../response-matchers.js";
import { asText, isObject, objectsIn, shown, textOf } from "../../wire/values.js";

/** The checks of agents: modes. */
export const modesAgentChecks: readonly AgentCheck[] = [
  sessionScenario("modes/set", ["MODE-03", "MODE-01"], {
    title: "A mode that is offered can be set",
    needs: ["modes in the result of session/new"],
    async run(context, session) {
      const { current, ids } = modesOf(context, session);
      if (!ids.includes(asText(current))) {
        context.note("MODE-01", {
          sent: "session/new",
          received: `currentModeId ${shown(current)}, and the modes ${shown(ids)}`,
          explanation: "The current mode is one of the available ones.",
        });
      }
      const modeId = ids.find((id) => id !== current) ?? ids[0];
      if (modeId === undefined) context.skip("the agent offers no mode");
      const response = await session.peer.request("session/set_mode", { sessionId: session.id, modeId });
      context.expect("MODE-03", response, isObjectResult, `session/set_mode with ${shown(modeId)}, which is offered`);
    },
  }),
  sessionScenario("modes/unknown", ["MODE-04"], {
    title: "A mode that isn't offered is refused",
    needs: ["modes in the result of session/new"],
    async run(context, session) {
      const { current, ids } = modesOf(context, session);
      const known = { sessionId: session.id, modeId: current ?? ids[0] };
      const control = await session.peer.request("session/set_mode", known);
      if (control.error) context.inconclusive("session/set_mode fails with a known mode, too");
      const unknown = { sessionId: session.id, modeId: "conformance-no-mode" };
      const response = await session.peer.request("session/set_mode", unknown);
      context.expect("MODE-04", response, isError(-32602), "session/set_mode with a mode that isn't offered");
    },
  }),
  sessionScenario("modes/while-a-turn-runs", ["MODE-05"], {
    title: "The mode can be changed while a turn runs",
    needs: ["modes in the result of session/new", "prompt: long"],
    async run(context, session) {
      const { current, ids } = modesOf(context, session);
      const params = { sessionId: session.id, modeId: current ?? ids[0] };
      const control = await session.peer.request("session/set_mode", params);
      if (control.error) context.inconclusive("session/set_mode fails without a running turn, too");
      await acceptsDuringTurn(context, session, "session/set_mode", params, "MODE-05");
    },
  }),
  tourStop("mode", ["MODE-06"], "may change the mode by itself", "current_mode_update"),
  schemaWatch(
    "modes",
    ["MODE-01", "MODE-03", "MODE-06"],
    "Modes match the schema",
    (one) => update("current_mode_update")(one) || resultWith("modes")(one),
  ),
];

function modesOf(context: AgentContext, session: TestSession): { current: unknown; ids: readonly string[] } {
  const modes = session.result.modes;
  if (!isObject(modes)) context.skip("the agent offers no modes");
  return { current: modes.currentModeId, ids: objectsIn(modes.availableModes).flatMap(({ id }) => textOf(id) ?? []) };
}
