import { asText, type Json, shown } from "../wire/values.js";
import { type AgentScenario, agentScenario } from "./agent-scenario.js";
import type { PromptPurpose } from "./prompt-purposes.js";

interface Stop {
  readonly purpose: PromptPurpose;
  readonly title: string;
  readonly verifies: readonly string[];
  /** Detects the update that the turn should cause. Without that update, the scenario is skipped. */
  readonly shows: (update: Json) => boolean;
}

/** Returns a function that recognizes updates with one of these tags. */
export const isUpdate =
  (...names: readonly string[]) =>
  ({ sessionUpdate }: Json): boolean =>
    names.includes(asText(sessionUpdate));

/** Creates a scenario with one turn that causes a kind of update. The watches check the messages of the turn. */
export function tourStop({ purpose, title, verifies, shows }: Stop): AgentScenario {
  return agentScenario({
    id: `tour/${purpose}`,
    title: `The agent ${title}`,
    verifies,
    needs: [`prompt: ${purpose}`],
    async run(context) {
      const session = await context.openSession();
      const path = context.files.join(context.files.cwd, "tour.txt");
      await context.files.write(path, "first line\nsecond line\n");
      const turn = context.prompt(session, context.text(purpose, { path }));
      const response = await context.endOf(session, turn);
      await session.peer.fence();
      if (response.error) context.inconclusive(`the turn failed: ${shown(response.error)}`);
      if (context.updates(session, turn.prompt.seq).some(({ update }) => shows(update))) return;
      context.skip(`the agent sent no such update: --prompt ${purpose}=…`);
    },
  });
}
