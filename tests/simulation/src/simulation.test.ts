import { describe, test } from "vitest";
import { expectNoProblems } from "./seeds.js";

describe("a cluster of gateways, odd seeds", () => {
  test("gateway.simulation: loses, doubles and reorders nothing, whatever fails", { timeout: 1_800_000 }, () =>
    expectNoProblems(1),
  );
});
