// #region model
import { acpProvider } from "@acp-kit/ai-sdk";
import { allowReads, type Transport } from "@acp-kit/client";
import { streamText } from "ai";

/** Returns an agent's response: `agent` is, for example, the result of `spawnAgent` of `@acp-kit/stdio/node`. */
export async function ask(agent: Transport, question: string, show: (text: string) => void): Promise<string[]> {
  await using provider = acpProvider(agent, { cwd: "/work", permissions: allowReads() });
  const { textStream, toolCalls } = streamText({ model: provider(), prompt: question });
  for await (const text of textStream) show(text);
  return (await toolCalls).map(({ toolName }) => toolName); // the agent ran them itself
}
// #endregion model
