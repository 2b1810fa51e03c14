import { expect, test } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { clientScenarios, clientWatches } from "./client-checks.js";

const cited = new Set([...clientScenarios, ...clientWatches].flatMap(({ verifies }) => verifies));
const withReason = requirements.filter(({ untested }) => untested?.client !== undefined).map(({ id }) => id);
const binding = requirements.filter(({ binds }) => binds !== "agent");

test("checks of clients cite existing rules for clients", () => {
  const ids = new Set(binding.map(({ id }) => id));
  expect([...cited].filter((id) => !ids.has(id))).toEqual([]);
});

test("every rule that binds clients has a check, or a reason why not", () => {
  expect(binding.filter(({ id }) => !cited.has(id) && !withReason.includes(id)).map(({ id }) => id)).toEqual([]);
});

test("only rules without a check have a reason", () => {
  expect(withReason.filter((id) => cited.has(id))).toEqual([]);
});

test("reasons belong to existing rules for clients", () => {
  const ids = new Set(binding.map(({ id }) => id));
  expect(withReason.filter((id) => !ids.has(id))).toEqual([]);
});

test("the numbers of rules and checks are the expected ones", () => {
  expect({
    binding: binding.length,
    cited: binding.filter(({ id }) => cited.has(id)).length,
    withReason: withReason.length,
    scenarios: clientScenarios.length,
    watches: clientWatches.length,
  }).toEqual({ binding: 282, cited: 191, withReason: 91, scenarios: 111, watches: 61 });
});
