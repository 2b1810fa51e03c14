import { RpcError } from "@acp-kit/protocol";
import { v2AgentScript } from "@acp-kit/testing/v2";
import { v2 } from "@acp-kit/v2/client";
import { generateText } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { acpProvider } from "./acp-provider.js";

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false }); // otherwise `ai` writes warnings to the console

const script = v2AgentScript()
  .onPrompt("fail", (work) => {
    work.message("I begin.");
    throw new RpcError(-32_011, "no credit");
  })
  .onPrompt((work) => {
    const id = work.wholeMessage("Hel");
    work.wholeMessage("Hello", id);
    return work.text;
  });

function model() {
  const agent = script.inMemory();
  const info = { name: "test", version: "1" };
  const provider = acpProvider(agent.transport, { cwd: "/work", info, versions: [v2] });
  onTestFinished(async () => {
    await provider.close();
    await agent.close();
  });
  return { model: provider(), agent };
}

test.each([
  ["end_turn", "stop"],
  ["max_tokens", "length"],
  ["refusal", "content-filter"],
  ["_budget", "other"],
])("the stop reason %s of version 2 is the finish reason %s, and whole messages are text", async (reason, finish) => {
  const { text, finishReason, rawFinishReason } = await generateText({ model: model().model, prompt: reason });
  expect({ text, finishReason, rawFinishReason }).toEqual({
    text: "Hello",
    finishReason: finish,
    rawFinishReason: reason,
  });
});

test("work that ends with an error rejects with its code", async () => {
  const call = generateText({ model: model().model, prompt: "fail", maxRetries: 0 });
  await expect(call).rejects.toMatchObject({ code: -32_011, message: "no credit" });
});

test("the usage in the state at the end of the work is the usage of the call", async () => {
  const agent = v2AgentScript().on("session/prompt", ({ params }: { params: unknown }) => {
    const { sessionId } = params as { sessionId: string };
    const update = (members: object): void =>
      void peer.notify("session/update", { sessionId, update: members } as never);
    const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10, thoughtTokens: 1, cachedReadTokens: 2 };
    update({ sessionUpdate: "user_message", messageId: "u", content: [{ type: "text", text: "hi" }] });
    update({ sessionUpdate: "state_update", state: "running" });
    queueMicrotask(() => update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", usage }));
    return { messageId: "u" };
  });
  const peer = agent.inMemory();
  const info = { name: "test", version: "1" };
  const provider = acpProvider(peer.transport, { cwd: "/work", info, versions: [v2] });
  onTestFinished(async () => {
    await provider.close();
    await peer.close();
  });
  const { usage } = await generateText({ model: provider(), prompt: "hi" });
  expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 3, reasoningTokens: 1, cachedInputTokens: 2 });
});
