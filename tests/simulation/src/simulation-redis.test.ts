import { describe, test } from "vitest";
import { expectNoProblems } from "./seeds.js";

describe("a cluster of gateways on a model of Redis", () => {
  test(
    "gateway.simulation-engines: loses, repeats and reorders no update under random faults",
    { timeout: 1_800_000 },
    () => expectNoProblems("redis"),
  );
});
