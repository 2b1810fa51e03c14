import type { Scenario } from "../scenario.js";
import { clientScenario } from "./checks.js";
import type { ClientScenarioContext } from "./client-context.js";
import type { JsonObject } from "./json.js";

// Parts of updates.

export const text = (value: string): JsonObject => ({ type: "text", text: value });

export const chunk = (content: unknown, more: JsonObject = {}): JsonObject => ({
  sessionUpdate: "agent_message_chunk",
  content,
  ...more,
});

export const call = (toolCallId: string, more: JsonObject = {}): JsonObject => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "A tool call",
  ...more,
});

export const change = (toolCallId: string, more: JsonObject): JsonObject => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more,
});

export const select = (id: string, more: JsonObject = {}): JsonObject => ({
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

/**
 * Creates a scenario that sends these updates in a turn, and then checks that the client still responds and exits as
 * usual.
 */
export function survivesUpdates(
  id: string,
  title: string,
  verifies: readonly string[],
  after: string,
  updates: readonly JsonObject[] | ((context: ClientScenarioContext) => readonly JsonObject[]),
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
