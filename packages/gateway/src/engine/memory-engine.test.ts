import { describe, test } from "vitest";
import { engineContract } from "./engine-contract.js";
import { memoryEngine } from "./memory-engine.js";

describe("the memory engine", () => {
  const cases = engineContract(() => {
    let now = 1_000;
    const engine = memoryEngine({ now: () => now });
    const advance = (ms: number): void => {
      now += ms;
    };
    return { engine, advance, dispose: () => engine.close() };
  });
  test.each(cases)("$name", ({ run }) => run());
});
