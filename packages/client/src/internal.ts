// For the other packages of this repository. This entry is not covered by semantic versioning.

export { MessageText } from "./message-text.js";
export { optionOfKind, rejectionOf } from "./permissions/rule-decision.js";
export { fileUri } from "./prompt/file-uri.js";
export { mimeTypeOf } from "./prompt/mime-type.js";
export type {
  PermissionDecidedEvent,
  PermissionRequestedEvent,
  PromptSentEvent,
  ReplayBeganEvent,
  ReplayEndedEvent,
  SessionOpenedEvent,
  TerminalEvent,
  TurnCancelledEvent,
  TurnEndedEvent,
  TurnJoinedEvent,
  UpdateEvent,
} from "./transcript/transcript-event.js";
