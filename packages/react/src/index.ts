// The store of an agent, and its provider.
export { AgentProvider, type AgentProviderProps, useAgentStore } from "./store/agent-context.js";
export type { AgentState, SharedSessionState } from "./store/agent-state.js";
export {
  type AgentOpener,
  type AgentStore,
  type AgentStoreOptions,
  type ConnectionReport,
  createAgentStore,
} from "./store/agent-store.js";
export type { FormRequest } from "./store/form-requests.js";
export type { SessionRequest, SharedSession } from "./store/shared-session.js";

// Hooks.

export { type UseAgent, useAgent, useReadyAgent } from "./hooks/use-agent.js";
export { type UseBackground, useBackground } from "./hooks/use-background.js";
export { useForms } from "./hooks/use-forms.js";
export { type UseOptions, useOptions } from "./hooks/use-options.js";
export { usePermissions } from "./hooks/use-permissions.js";
export { usePlan } from "./hooks/use-plan.js";
export { useReadable } from "./hooks/use-readable.js";
export { type UseSession, useReadySession, useSession } from "./hooks/use-session.js";
export { useTranscript } from "./hooks/use-transcript.js";
export { type UseTurn, useTurn } from "./hooks/use-turn.js";
export { useUsage } from "./hooks/use-usage.js";

// Components of a conversation.

export { BackgroundList, type BackgroundListProps } from "./components/background-list.js";
export { ChildSessionView, type ChildSessionViewProps } from "./components/child-session-view.js";
export { type AcceptedContent, MAX_ATTACHMENT } from "./components/composer/attachments.js";
export type { FileSuggestion } from "./components/composer/completion.js";
export { Composer, type ComposerProps, type ComposerQueueEntry } from "./components/composer/composer.js";
export { SessionComposer, type SessionComposerProps } from "./components/composer/session-composer.js";
export type { FindFiles } from "./components/composer/use-suggestions.js";
export { ContentBlocks, type ContentBlocksProps } from "./components/content-blocks.js";
export { type FileLink, FileLinks, type FileLinksProps } from "./components/file-links.js";
export { FormCard, type FormCardProps } from "./components/form-card.js";
export { LiveStatus, type LiveStatusProps } from "./components/live-status.js";
export { Markdown, type MarkdownProps } from "./components/markdown/markdown.js";
export type { RenderCode } from "./components/markdown/tokens.js";
export { MessageList, type MessageListProps } from "./components/message-list.js";
export { PermissionCard, type PermissionCardProps, PermissionQuestionCard } from "./components/permission-card.js";
export { plainLine, plainText, safeHref } from "./components/plain-text.js";
export { PlanList, type PlanListProps } from "./components/plan-list.js";
export type { StopWork } from "./components/stop-button.js";
export { DiffView, type DiffViewProps } from "./components/tool-call/diff-view.js";
export { TerminalOutput, type TerminalOutputProps } from "./components/tool-call/terminal-output.js";
export { ToolCallView, type ToolCallViewProps } from "./components/tool-call/tool-call-view.js";
export { TranscriptEntryView, type TranscriptEntryViewProps } from "./components/transcript-entry-view.js";

// Types of other packages that the signatures of this package use.

export type {
  AgentConnection,
  PermissionQuestion,
  PlanTranscriptEntry,
  Session,
  TranscriptUsage,
} from "@acp-kit/client";
export type { KnownBackgroundWork, PlanEntry } from "@acp-kit/types/v2";
