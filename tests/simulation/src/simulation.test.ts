import { describe, test } from "vitest";
import { expectNoProblems } from "./seeds.js";

describe("a cluster of gateways, odd seeds", () => {
  test("gateway.simulation: loses, repeats and reorders no update under random faults", { timeout: 1_800_000 }, () =>
    expectNoProblems("memory", { first: 1, step: 2 }),
  );
});
