import { asText, shown } from "../wire/values.js";
import { type AgentScenario, sessionScenario } from "./agent-scenario.js";
import type { PromptPurpose } from "./prompt-purposes.js";
import { fileInCwd } from "./test-files.js";

/**
 * Creates a scenario with one turn that causes an update with one of these tags; without it, the scenario is skipped.
 * The watches check the messages of the turn.
 */
export function tourStop(
  purpose: PromptPurpose,
  verifies: readonly string[],
  title: string,
  ...tags: readonly string[]
): AgentScenario {
  return sessionScenario(`tour/${purpose}`, verifies, {
    title: `The agent ${title}`,
    needs: [`prompt: ${purpose}`],
    async run(context, session) {
      const path = await fileInCwd(context.files, "tour.txt", "first line\nsecond line\n");
      const turn = context.prompt(session, context.text(purpose, { path }));
      const response = await context.endOf(session, turn);
      await session.peer.fence();
      if (response.error) context.inconclusive(`the turn failed: ${shown(response.error)}`);
      const updates = context.updates(session, turn.prompt.seq);
      if (updates.some(({ update }) => tags.includes(asText(update.sessionUpdate)))) return;
      context.skip(`the agent sent no such update: --prompt ${purpose}=…`);
    },
  });
}
