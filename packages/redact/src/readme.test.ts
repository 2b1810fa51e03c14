import { expect, test } from "vitest";
import { openSession } from "./readme.examples.js";

test("the example shows no secret", async () => {
  const log = await openSession("pzq 71/x+aa");
  expect(log.join("\n")).not.toContain("pzq");
  expect(log).toEqual([
    expect.stringContaining('"env":[{"name":"KEY","value":"[redacted]"}]'),
    expect.stringContaining('"greeting":"Your key is [redacted]."'),
    "search: started with [redacted]",
    "GET https://search.example/?q=acp&k=[redacted] failed",
    "search --api-key [redacted] --verbose",
  ]);
});
