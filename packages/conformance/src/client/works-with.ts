import type { Scenario } from "../scenario.js";
import { type Json, shown } from "../wire/values.js";
import { clientScenario } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";

/** The `agentInfo` of the kit's agent. */
export const info = { name: "acp-kit-conformance", version: "1" };

/** Creates a scenario in which the agent's response to `initialize` is `initialized`; the client must work. */
export function works(
  id: string,
  title: string,
  verifies: readonly string[],
  initialized: Json,
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      const turn = await context.turn({ initialized });
      await context.survived(turn, verifies[0] ?? "", `the response ${shown(initialized)} to \`initialize\``);
    },
  });
}
