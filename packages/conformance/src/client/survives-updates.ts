import type { Json } from "../wire/values.js";
import type { AgentSetup } from "./agent-setup.js";
import { type ClientScenario, clientScenario } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";

// Parts of updates.

export const text = (value: string): Json => ({ type: "text", text: value });

export const chunk = (content: unknown, more: Json = {}): Json => ({
  sessionUpdate: "agent_message_chunk",
  content,
  ...more,
});

export const call = (toolCallId: string, more: Json = {}): Json => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "A tool call",
  ...more,
});

export const change = (toolCallId: string, more: Json): Json => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more,
});

export const select = (id: string, more: Json = {}): Json => ({
  id,
  name: "An option",
  type: "select",
  currentValue: "a",
  options: [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ],
  ...more,
});

/** Creates a scenario that sends updates in a turn, after which the client still responds and exits as usual. */
export function survivesUpdates(
  id: string,
  verifies: readonly [string, ...string[]],
  {
    title,
    after,
    updates,
    setup,
  }: {
    readonly title: string;
    readonly after: string;
    readonly updates: readonly Json[] | ((context: ClientScenarioContext) => readonly Json[]);
    readonly setup?: AgentSetup;
  },
): ClientScenario {
  return clientScenario(id, verifies, {
    title,
    async run(context) {
      const turn = await context.turn(setup);
      for (const update of typeof updates === "function" ? updates(context) : updates) turn.update(update);
      await context.survived(turn, verifies[0], after);
    },
  });
}
