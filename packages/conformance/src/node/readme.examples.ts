// #region test
import { promptPresets, reportText } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { test } from "vitest";

test("my agent keeps the rules of ACP", { timeout: 300_000 }, async () => {
  const report = await testAgent({
    agent: { command: "node", args: ["dist/my-agent.js"] },
    prompts: { ...promptPresets.plain, long: "Wait for a minute, and say one word a second." },
  });
  if (!report.conformant) throw new Error(reportText(report));
});
// #endregion test
