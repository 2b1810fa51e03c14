import { heaviestTier } from "../heaviest-tier.js";
import type { Scenario, Watch } from "../scenario.js";
import type { ClientScenarioContext } from "./client-context.js";
import { type WireRule, watchDialogue } from "./watch-dialogue.js";

/** A check of clients. */
export type ClientCheck = Scenario<ClientScenarioContext> | Watch;

/** The hand-written part of a client scenario; {@link clientScenario} derives the rest. */
export type ClientScenarioText = Pick<
  Scenario<ClientScenarioContext>,
  "id" | "title" | "verifies" | "needs" | "basis" | "run"
>;

/** Creates a scenario for clients. */
export function clientScenario(text: ClientScenarioText): Scenario<ClientScenarioContext> {
  return { kind: "scenario", role: "client", tier: heaviestTier(text.verifies), ...text };
}

/** Creates a watch over the messages of clients. */
export function clientWatch(rule: WireRule): Watch {
  const { id, title, verifies, unlessUsed } = rule;
  const watch: Watch["watch"] = (dialogue) => watchDialogue(rule, dialogue);
  const tier = heaviestTier(verifies);
  return {
    kind: "watch",
    role: "client",
    id,
    title,
    verifies,
    tier,
    watch,
    ...(unlessUsed !== undefined && { unlessUsed }),
  };
}
