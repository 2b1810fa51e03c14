import { invalidParams } from "@acp-kit/protocol";
import { checkOptions, shorten } from "@acp-kit/protocol/internal";
import { feature } from "./agent-feature.js";
import type { SystemPrompt } from "./system-prompt.js";
import type { UnstableAgentFeature } from "./unstable-agent-feature.js";

/**
 * Lets clients give the agent instructions when they open a session; `session.systemPrompt` has them. With
 * `override: true`, clients may also replace the agent's own instructions. The library refuses other modes and content
 * that is not text.
 *
 * @throws {InvalidOptionError} when an option is unknown.
 * @experimental
 */
export function acceptSystemPrompt(options: { readonly override?: boolean } = {}): UnstableAgentFeature {
  checkOptions("acceptSystemPrompt", options, { override: "value" });
  const { override = false } = options;
  return feature({
    name: "acceptSystemPrompt",
    sessionCapabilities: { systemPrompt: override ? { mode: { override: {} } } : {} },
    systemPromptOf: (params) => read((params as { readonly systemPrompt?: unknown }).systemPrompt, override),
  });
}

function read(value: unknown, override: boolean): SystemPrompt | undefined {
  if (value === undefined || value === null) return undefined;
  const { mode, content } = value as { readonly mode?: unknown; readonly content?: unknown };
  if (mode !== "append" && !(mode === "override" && override)) {
    const name = shorten(String(mode));
    throw invalidParams(`Invalid params: systemPrompt.mode: this agent does not support ${name}`, { mode: name });
  }
  const texts = Array.isArray(content) ? content.map(textOf) : [];
  if (texts.length === 0 || texts.includes(undefined))
    throw invalidParams("Invalid params: systemPrompt.content: must be one or more text blocks");
  return { mode, text: texts.join("\n\n") };
}

function textOf(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return undefined;
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown };
  return type === "text" && typeof text === "string" ? text : undefined;
}
