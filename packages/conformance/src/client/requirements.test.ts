import { expect, test } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { clientScenarios, clientWatches } from "./client-scenarios.js";
test("d", () => {
  const cited = new Set([...clientScenarios, ...clientWatches].flatMap(({ verifies }) => verifies));
  const mine = requirements.filter(({ binds }) => binds !== "agent");
  console.log(mine.length, mine.filter(({id}) => cited.has(id)).length);
  const ids = new Map(requirements.map((r) => [r.id, r]));
  for (const id of cited) if (ids.get(id)?.binds === "agent") console.log("AGENT", id, ids.get(id)?.rule);
  for (const r of mine) if (!cited.has(r.id)) console.log(r.id, r.level, r.binds, r.observability, r.sources.join("+"), "|", r.rule.slice(0, 110));
});
