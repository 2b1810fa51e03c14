// Which model thinks: a scripted one, or, by one environment variable, a real one.
import type { LanguageModel } from "ai";
import { scriptedModel } from "./scripted-model.js";

// #region model
/** `ACP_MODEL=anthropic/claude-sonnet-4-5` is `anthropic("claude-sonnet-4-5")` of `@ai-sdk/anthropic`, which you install; so is any other provider. */
export async function chosenModel(name: string | undefined = process.env.ACP_MODEL): Promise<LanguageModel> {
  if (name === undefined) return scriptedModel();
  const [provider = "", ...model] = name.split("/");
  const module = (await import(`@ai-sdk/${provider}`)) as Record<string, (id: string) => LanguageModel>;
  const create = module[provider];
  if (create === undefined) throw new Error(`@ai-sdk/${provider} has no ${provider}(): write ACP_MODEL=provider/model`);
  return create(model.join("/"));
}
// #endregion model
