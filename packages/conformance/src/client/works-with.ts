import { type Json, shown } from "../wire/values.js";
import { type ClientScenario, clientScenario } from "./checks.js";

/** The `agentInfo` of the kit's agent. */
export const info = { name: "acp-kit-conformance", version: "1" };

/** Creates a scenario in which the agent's response to `initialize` is `initialized`; the client must work. */
export function works(
  id: string,
  verifies: readonly [string, ...string[]],
  title: string,
  initialized: Json,
): ClientScenario {
  return clientScenario(id, verifies, {
    title,
    async run(context) {
      const turn = await context.turn({ initialized });
      await context.survived(turn, verifies[0], `the response ${shown(initialized)} to \`initialize\``);
    },
  });
}
