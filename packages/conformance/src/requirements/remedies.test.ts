import { expect, test } from "vitest";
import { agentScenarios, agentWatches } from "../agent/agent-checks.js";
import { remoteRequirements } from "../areas/remote-transport/rules.js";
import { remoteScenarios } from "../areas/remote-transport/server.js";
import { clientScenarios, clientWatches } from "../client/client-checks.js";
import { weighs } from "../heaviest-tier.js";
import { requirementOf } from "./find-requirement.js";
import { requirements } from "./requirements.js";
import { tierOf } from "./tier.js";

const checks = [...agentScenarios, ...agentWatches, ...clientScenarios, ...clientWatches, ...remoteScenarios];
const checked = new Set(checks.flatMap(({ verifies }) => verifies));

test("every checked rule of the tiers mandatory and capability has a remedy", () => {
  const heavy = [...checked].filter((id) => weighs(tierOf(requirementOf(id))));
  expect(heavy.filter((id) => requirementOf(id).remedy === undefined)).toEqual([]);
  for (const { id, remedy } of [...requirements, ...remoteRequirements]) {
    if (remedy === undefined) continue;
    expect(checked.has(id), id).toBe(true);
    expect(remedy, id).toMatch(/^[A-Z].{10,}[.]$/);
  }
});
