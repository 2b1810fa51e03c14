// Chooses the model: the scripted model, or a real model if the variable ACP_MODEL is set.
import type { LanguageModel } from "ai";
import { scriptedModel } from "./scripted-model.js";

/**
 * `ACP_MODEL=anthropic/claude-sonnet-4-5` is `anthropic("claude-sonnet-4-5")` of `@ai-sdk/anthropic`, which you
 * install. Other providers work the same way.
 */
export async function chosenModel(name: string | undefined = process.env.ACP_MODEL): Promise<LanguageModel> {
  if (name === undefined) return scriptedModel();
  const [provider = "", ...model] = name.split("/");
  const module = (await import(`@ai-sdk/${provider}`)) as Record<string, (id: string) => LanguageModel>;
  const create = module[provider];
  if (create === undefined) throw new Error(`@ai-sdk/${provider} has no ${provider}(): write ACP_MODEL=provider/model`);
  return create(model.join("/"));
}
