import { describe, test } from "vitest";
import { expectNoProblems } from "./seeds.js";

describe("a cluster of gateways, even seeds", () => {
  test("gateway.simulation: loses, doubles and reorders nothing, whatever fails", { timeout: 600_000 }, () =>
    expectNoProblems(2),
  );
});
