import type { SessionSetup } from "@acp-kit/client";
import type { AgentTarget } from "../agent-target.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import type { PermissionPolicy } from "../run/permission-policy.js";
import type { HistoryFile } from "./input/history-file.js";
import type { SessionMemory } from "./session-memory.js";
import type { ChatUi } from "./ui/chat-ui.js";

/** A conversation, and everything about it that the user chose. */
export interface ChatRequest {
  readonly agent: AgentTarget;
  readonly setup: SessionSetup;
  /** Whether the agent gets the files of the session's folder, and terminals. */
  readonly localAccess: boolean;
  readonly permissions: PermissionPolicy;
  /** A saved session; `undefined` opens a new one. */
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly model: string | undefined;
  /** For each turn; 0 for ever. */
  readonly timeoutMs: number;
  readonly showSecrets: boolean;
}

/** What a chat is given. */
export interface ChatParts {
  readonly host: Host;
  readonly ui: ChatUi;
  readonly log: Log;
  readonly history: HistoryFile;
  readonly sessions: SessionMemory;
}
