import { requirementOf } from "../requirements/find-requirement.js";
import { type Tier, tierOf } from "../requirements/tier.js";
import type { Scenario, Watch } from "../scenario.js";
import type { ClientScenarioContext } from "./client-context.js";
import { type WireRule, watchDialogue } from "./watch-dialogue.js";

const byWeight: readonly Tier[] = ["mandatory", "capability", "advisory", "informational"];

/** A scenario about a client, as it is written down: the rest follows. */
export type ClientScenarioText = Pick<Scenario<ClientScenarioContext>, "id" | "title" | "verifies" | "needs" | "run">;

/** Makes a scenario about clients. */
export function clientScenario(text: ClientScenarioText): Scenario<ClientScenarioContext> {
  return { kind: "scenario", role: "client", tier: heaviest(text.verifies), ...text };
}

/** Makes a watch over what clients send. */
export function clientWatch(rule: WireRule): Watch {
  const { id, title, verifies } = rule;
  const watch: Watch["watch"] = (dialogue) => watchDialogue(rule, dialogue);
  return { kind: "watch", role: "client", id, title, verifies, tier: heaviest(verifies), watch };
}

function heaviest(ids: readonly string[]): Tier {
  const tiers = new Set(ids.map((id) => tierOf(requirementOf(id))));
  return byWeight.find((tier) => tiers.has(tier)) ?? "informational";
}
