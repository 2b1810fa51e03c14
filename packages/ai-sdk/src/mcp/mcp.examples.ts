// #region agent
import { aiSdkAgent } from "@acp-kit/ai-sdk";
import { sessionTools } from "@acp-kit/ai-sdk/mcp";
import type { LanguageModel } from "ai";

export const agentWithTools = (model: LanguageModel) =>
  aiSdkAgent({ info: { name: "agent", version: "1.0.0" }, model, mcp: sessionTools() });

// #endregion agent

// #region provider
import { acpProvider } from "@acp-kit/ai-sdk";
import { fromAiSdkTools } from "@acp-kit/ai-sdk/mcp";
import type { Transport } from "@acp-kit/client";
import { serveMcp } from "@acp-kit/mcp/node";
import type { ToolSet } from "ai";

/** The tools run here, when the agent calls them. */
export const withTools = (agent: Transport, tools: ToolSet) =>
  acpProvider(agent, { cwd: "/work", mcp: serveMcp(fromAiSdkTools("app", tools)) });
// #endregion provider
