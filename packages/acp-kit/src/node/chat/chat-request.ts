import type { SessionSetup } from "@acp-kit/client";
import type { AcpProxy } from "@acp-kit/proxy";
import type { AgentTarget } from "../agent-target.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import type { ProtocolChoice } from "../protocol-version.js";
import type { ChoiceDefaults } from "../run/open-session.js";
import type { PermissionPolicy } from "../run/permission-policy.js";
import type { HistoryFile } from "./input/history-file.js";
import type { SessionMemory } from "./session-memory.js";
import type { ChatUi } from "./ui/chat-ui.js";

/** The agent and the options that the user has chosen for a conversation. */
export interface ChatRequest {
  readonly agent: AgentTarget;
  readonly protocol: ProtocolChoice;
  /** The ACP proxies in front of the agent; the first is next to the client. */
  readonly proxies: readonly AcpProxy[];
  readonly setup: SessionSetup;
  /** The folder of this machine to which paths in prompts and commands are relative. */
  readonly cwd: string;
  /** Whether the agent may use terminals, and the files in the session's folder. */
  readonly localAccess: boolean;
  readonly permissions: PermissionPolicy;
  /** The id of a saved session to open; `undefined` opens a new one. */
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly model: string | undefined;
  readonly defaults?: ChoiceDefaults | undefined;
  /** The time limit of each turn, in milliseconds; 0 means no limit. */
  readonly timeoutMs: number;
  readonly showSecrets: boolean;
}

/** The dependencies of a chat. */
export interface ChatParts {
  readonly host: Host;
  readonly ui: ChatUi;
  readonly log: Log;
  readonly history: HistoryFile;
  readonly sessions: SessionMemory;
}
