import { expect, test } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { clientScenarios, clientWatches } from "./client-scenarios.js";
import { notTestableForClients } from "./not-testable.js";

const cited = new Set([...clientScenarios, ...clientWatches].flatMap(({ verifies }) => verifies));
const binding = requirements.filter(({ binds }) => binds !== "agent");

test("checks of clients cite existing rules for clients", () => {
  const ids = new Set(binding.map(({ id }) => id));
  expect([...cited].filter((id) => !ids.has(id))).toEqual([]);
});

test("every rule that binds clients has a check, or a reason why not", () => {
  expect(binding.filter(({ id }) => !cited.has(id) && !(id in notTestableForClients)).map(({ id }) => id)).toEqual([]);
});

test("only rules without a check have a reason", () => {
  expect(Object.keys(notTestableForClients).filter((id) => cited.has(id))).toEqual([]);
});

test("reasons belong to existing rules for clients", () => {
  const ids = new Set(binding.map(({ id }) => id));
  expect(Object.keys(notTestableForClients).filter((id) => !ids.has(id))).toEqual([]);
});

test("the numbers of rules and checks are the expected ones", () => {
  expect({
    binding: binding.length,
    cited: binding.filter(({ id }) => cited.has(id)).length,
    withReason: Object.keys(notTestableForClients).length,
    scenarios: clientScenarios.length,
    watches: clientWatches.length,
  }).toEqual({ binding: 282, cited: 191, withReason: 91, scenarios: 111, watches: 61 });
});
