import { expect, test } from "vitest";
import { requirements } from "../requirements/requirements.js";
import { clientScenarios, clientWatches } from "./client-scenarios.js";
import { notTestableForClients } from "./not-testable.js";

const cited = new Set([...clientScenarios, ...clientWatches].flatMap(({ verifies }) => verifies));
const binding = requirements.filter(({ binds }) => binds !== "agent");

test("a check of clients cites rules that exist, and that bind clients", () => {
  const ids = new Set(binding.map(({ id }) => id));
  expect([...cited].filter((id) => !ids.has(id))).toEqual([]);
});

test("every rule that binds clients has a check, or a reason why not", () => {
  expect(binding.filter(({ id }) => !cited.has(id) && !(id in notTestableForClients)).map(({ id }) => id)).toEqual([]);
});

test("a rule that has a check has no reason not to have one", () => {
  expect(Object.keys(notTestableForClients).filter((id) => cited.has(id))).toEqual([]);
});

test("a reason is given for rules that exist, and that bind clients", () => {
  const ids = new Set(binding.map(({ id }) => id));
  expect(Object.keys(notTestableForClients).filter((id) => !ids.has(id))).toEqual([]);
});

test("the numbers that the documentation states", () => {
  expect({
    binding: binding.length,
    lookedAt: binding.filter(({ id }) => cited.has(id)).length,
    withReason: Object.keys(notTestableForClients).length,
    scenarios: clientScenarios.length,
    watches: clientWatches.length,
  }).toEqual({ binding: 282, lookedAt: 190, withReason: 92, scenarios: 109, watches: 61 });
});
