import { describe, test } from "vitest";
import { expectNoProblems } from "./seeds.js";

describe("a cluster of gateways on a model of Redis", () => {
  test("gateway.simulation-engines: loses, doubles and reorders nothing, whatever fails", { timeout: 1_800_000 }, () =>
    expectNoProblems(1, "redis"),
  );
});
