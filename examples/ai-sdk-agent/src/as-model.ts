// Uses the agent as a model of the AI SDK.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { acpProvider } from "@acp-kit/ai-sdk";
import { spawnAgent } from "@acp-kit/stdio/node";
import { generateText } from "ai";

const args = ["--import", import.meta.resolve("tsx"), fileURLToPath(new URL("./smallest.ts", import.meta.url))];

export async function playAsModel(): Promise<void> {
  const agent = spawnAgent({ command: process.execPath, args });
  {
    await using provider = acpProvider(agent, { cwd: process.cwd() });
    const model = provider();
    const first = await generateText({ model, prompt: "Hello" });
    assert.equal(first.text, "I remember 1 prompts and 0 results of tools.");
    const second = await generateText({ model, prompt: "Hello again" });
    assert.equal(second.text, "I remember 2 prompts and 0 results of tools.");
    assert.deepEqual(second.providerMetadata, first.providerMetadata); // the same session
  }
  assert.equal((await agent.exited).exitCode, 0);
}
