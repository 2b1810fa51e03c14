// Exports for authors of agents that use the AI SDK.

export {
  type AiSdkAgent,
  type AiSdkAgentOptions,
  type AiSdkTurn,
  aiSdkAgent,
  type ForTurn,
  type RestoredHistory,
  type StreamTextSettings,
} from "./agent/ai-sdk-agent.js";

// The session of an agent, and its history as messages for a model.

export type { AiSdkSession } from "./agent/agent-session.js";
export { type HistoryEntry, modelMessages } from "./agent/model-messages.js";
export type { SessionMcp } from "./agent/session-mcp.js";

// Exports for agents that run `streamText` themselves and send the stream as updates.

export { type PipeOptions, type PipeResult, pipe } from "./pipe/pipe.js";
export type { ToolView, ToolViews } from "./pipe/tool-view.js";
export { TurnCalls } from "./pipe/turn-calls.js";
export type { ToolApproval, TurnWriterOptions } from "./pipe/turn-writer.js";

// The parts of a stream of the AI SDK.

export { textStreamParts, uiMessageChunks } from "./pipe/part-table.js";
export type {
  NewerPartType,
  StreamPart,
  TextStreamPartType,
  TokenUsage,
  UiMessageChunkType,
} from "./pipe/stream-part.js";

// Exports for applications of the AI SDK that use an ACP agent as a model.

export { acpModel } from "./model/acp-model.js";
export { type AcpProvider, type AcpProviderOptions, acpProvider } from "./model/acp-provider.js";
export type { LanguageModelV3 } from "./model/model-types.js";
export type { ShownBlock, ShownContent } from "./model/shown-content.js";
