// #region model
import { startModel } from "@acp-kit/testing/model";
import { expect, test } from "vitest";

test("the model sends the replies of its script", async () => {
  await using model = await startModel({
    script: ({ results }) =>
      results.length > 0 ? { text: ["Done."] } : { calls: [{ name: "read_file", input: { path: "/work/notes.txt" } }] },
  });
  const response = await fetch(`${model.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "Read my notes." }] }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  expect(model.requests[0]).toMatchObject({ api: "openai-chat", prompts: ["Read my notes."] });
});
// #endregion model
