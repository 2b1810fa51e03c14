import type { ConformanceReport } from "@acp-kit/conformance";
import { expect, it } from "vitest";
import { brokenRules } from "./broken-rules.js";

it("names the rules that weigh, without the advice of the same fault", () => {
  const rule = (id: string, tier: string, advice?: true): object => ({
    id,
    tier,
    status: "failed",
    findings: [{ requirement: id, sent: "", received: "", explanation: "", ...(advice && { advice }) }],
  });
  const requirements = [
    rule("SESS-31", "informational"),
    rule("TERM-13", "capability", true),
    rule("SESS-14", "capability"),
  ];
  expect(brokenRules({ requirements } as unknown as ConformanceReport)).toEqual(["SESS-14"]);
});
