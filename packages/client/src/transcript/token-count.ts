import { isJsonObject, type JsonObject } from "@acp-kit/protocol/internal";
import type { TokenCount } from "./transcript-snapshot.js";

/**
 * Reads the token counts of a turn from the response to its prompt: from `usage`, which is still a draft of the
 * protocol, or from `_meta.quota.token_count`, where some agents put them.
 */
export function tokensOf(response: object): TokenCount | undefined {
  const { usage, _meta } = response as { usage?: unknown; _meta?: unknown };
  const quota = isJsonObject(_meta) && isJsonObject(_meta.quota) ? _meta.quota.token_count : undefined;
  return read(usage) ?? read(quota);
}

/** Returns the sum of two token counts, member by member. */
export function addTokens(a: TokenCount | undefined, b: TokenCount): TokenCount {
  if (a === undefined) return b;
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum as unknown as TokenCount;
}

function read(value: unknown): TokenCount | undefined {
  if (!isJsonObject(value)) return undefined;
  const inputTokens = count(value, "inputTokens", "input_tokens");
  const outputTokens = count(value, "outputTokens", "output_tokens");
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const thoughtTokens = count(value, "thoughtTokens", "reasoningOutputTokens");
  const cachedReadTokens = count(value, "cachedReadTokens", "cachedInputTokens");
  const cachedWriteTokens = count(value, "cachedWriteTokens");
  return {
    inputTokens,
    outputTokens,
    totalTokens: count(value, "totalTokens", "total_tokens") ?? inputTokens + outputTokens,
    ...(thoughtTokens !== undefined && { thoughtTokens }),
    ...(cachedReadTokens !== undefined && { cachedReadTokens }),
    ...(cachedWriteTokens !== undefined && { cachedWriteTokens }),
  };
}

function count(value: JsonObject, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const found = value[name];
    if (typeof found === "number") return found;
  }
  return undefined;
}
