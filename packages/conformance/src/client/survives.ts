import type { Scenario } from "../scenario.js";
import { clientScenario } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";
import type { Turn } from "./turn.js";

/** Creates a scenario with unusual input in a turn, after which the client still responds and exits as usual. */
export function survives(
  id: string,
  title: string,
  verifies: readonly string[],
  after: string,
  act: (turn: Turn) => void | Promise<void>,
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      const turn = await context.turn();
      await act(turn);
      await context.survived(turn, verifies[0] ?? "", after);
    },
  });
}
