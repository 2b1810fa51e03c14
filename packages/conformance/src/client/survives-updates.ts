import type { Scenario } from "../scenario.js";
import type { Json } from "../wire/values.js";
import { clientScenario } from "./checks.js";
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
  title: string,
  verifies: readonly string[],
  after: string,
  updates: readonly Json[] | ((context: ClientScenarioContext) => readonly Json[]),
  setup?: Parameters<ClientScenarioContext["turn"]>[0],
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      const turn = await context.turn(setup);
      for (const update of typeof updates === "function" ? updates(context) : updates) turn.update(update);
      await context.survived(turn, verifies[0] ?? "", after);
    },
  });
}
