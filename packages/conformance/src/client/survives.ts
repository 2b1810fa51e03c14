import { type ClientScenario, turnScenario } from "./checks.js";
import type { Turn } from "./turn.js";

/** Creates a scenario with unusual input in a turn, after which the client still responds and exits as usual. */
export function survives(
  id: string,
  verifies: readonly [string, ...string[]],
  { title, after, act }: { readonly title: string; readonly after: string; act(turn: Turn): void | Promise<void> },
): ClientScenario {
  return turnScenario(id, verifies, {
    title,
    async run(context, turn) {
      await act(turn);
      await context.survived(turn, verifies[0], after);
    },
  });
}
