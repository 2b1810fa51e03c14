// For the other packages of this repository. This entry is not covered by semantic versioning.

export type { OptionKinds } from "@acp-kit/protocol/internal"; // the type of `connectOptionKinds`
export { connectOptionKinds } from "./check-connect-options.js";
export { isFinalStatus } from "./final-status.js";
export { type CodeToken, markdownTokens } from "./markdown-tokens.js";
export { gapAfter, MessageText } from "./message-text.js";
export { wrongKeyText } from "./permissions/permission-keys.js";
export { optionOfKind, rejectionOf } from "./permissions/rule-decision.js";
export { fileUri } from "./prompt/file-uri.js";
export { mimeTypeOf } from "./prompt/mime-type.js";
export type { SentPrompt } from "./session/sent-prompt.js";
export type { FinalText, Turn as LiveTurn } from "./session/turn.js";
export { isHeld } from "./session/turn-phase.js";
// The page of the inspector reads child sessions from messages.
export { type ChildUpdate, childUpdateOf } from "./transcript/child-update.js";
// The transcript of a connection of version 2, for `@acp-kit/v2`.
export { extendAll } from "./transcript/extend-all.js";
export type {
  ChildEvent,
  PermissionDecidedEvent,
  PermissionRequestedEvent,
  PromptSentEvent,
  PromptsSendingEvent,
  ReplayBeganEvent,
  ReplayEndedEvent,
  SessionOpenedEvent,
  TerminalEvent,
  TurnCancelledEvent,
  TurnEndedEvent,
  TurnJoinedEvent,
  UpdateEvent,
} from "./transcript/transcript-event.js";
export type { ExtendTranscript } from "./transcript/transcript-extension.js";
export { v2Updates } from "./transcript/v2-updates.js";
export type {
  ClientVersion,
  DeliverUpdate,
  ReadUpdate,
  VersionConnection,
  VersionPrompt,
  VersionSession,
  VersionState,
  VersionTurns,
} from "./version.js";
