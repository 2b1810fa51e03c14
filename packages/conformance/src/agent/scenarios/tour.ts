import { asText, type Json, shown } from "../../wire/values.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import type { PromptPurpose } from "../prompt-purposes.js";

interface Stop {
  readonly purpose: PromptPurpose;
  readonly title: string;
  readonly verifies: readonly string[];
  /** Detects the update that the turn should cause. Without that update, the scenario is skipped. */
  readonly shows: (update: Json) => boolean;
}

const is =
  (...names: readonly string[]) =>
  ({ sessionUpdate }: Json): boolean =>
    names.includes(asText(sessionUpdate));

const stops: readonly Stop[] = [
  { purpose: "plan", title: "sends its plan", verifies: ["PLAN-01"], shows: is("plan") },
  { purpose: "tools", title: "reports the tools that it uses", verifies: ["TOOL-01"], shows: is("tool_call") },
  { purpose: "thought", title: "may send its thoughts", verifies: ["UPD-02"], shows: is("agent_thought_chunk") },
  {
    purpose: "content",
    title: "may respond with content blocks of any kind",
    verifies: ["CONT-05"],
    shows: is("agent_message_chunk"),
  },
  {
    purpose: "usage",
    title: "may report how much of its context window it uses",
    verifies: ["USAGE-01"],
    shows: is("usage_update"),
  },
  { purpose: "title", title: "may give the session a title", verifies: ["INFO-01"], shows: is("session_info_update") },
  { purpose: "mode", title: "may change the mode by itself", verifies: ["MODE-06"], shows: is("current_mode_update") },
  {
    purpose: "config",
    title: "may change an option by itself",
    verifies: ["CFG-17"],
    shows: is("config_option_update"),
  },
  {
    purpose: "commands",
    title: "may change its commands",
    verifies: ["CMD-03"],
    shows: is("available_commands_update"),
  },
  { purpose: "notice", title: "may show a notice", verifies: ["NOTICE-02"], shows: is("notice") },
  {
    purpose: "compaction",
    title: "may report that it compacts its context",
    verifies: ["COMPACT-03"],
    shows: is("compaction_update"),
  },
];

/** One turn for each kind of update. The watches check the messages of these turns. */
export const tourScenarios: readonly AgentScenario[] = stops.map(({ purpose, title, verifies, shows }) =>
  agentScenario({
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
  }),
);
