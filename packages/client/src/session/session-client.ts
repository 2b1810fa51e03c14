import type { Diagnostic } from "@acp-kit/protocol";
import type { Backlog } from "@acp-kit/protocol/internal";
import type { AgentLink } from "../agent-link.js";
import type { Login } from "../authentication/login.js";
import type { BufferLimits } from "../limits.js";
import type { PermissionBroker } from "../permissions/permission-broker.js";
import type { TranscriptSetting } from "../transcript/session-transcript.js";
import type { ExtendTranscript } from "../transcript/transcript-extension.js";
import type { UpdateListener } from "./session.js";

/** The objects and settings of a client that all its sessions use. */
export interface SessionClient {
  readonly link: AgentLink;
  readonly login: Login;
  readonly permissions: PermissionBroker;
  /** Removes a session that was closed. */
  readonly forget: (sessionId: string) => void;
  readonly report: (diagnostic: Diagnostic) => void;
  /** The backlog of the current connection. */
  readonly backlog: Backlog;
  readonly onUpdate: UpdateListener | undefined;
  readonly concurrentPrompts: "queue" | "reject" | "send";
  /** Whether a session that was opened again gets the options again that this client had set. */
  readonly reapplyOptions: boolean;
  readonly transcript: TranscriptSetting;
  readonly extendTranscript?: ExtendTranscript | undefined;
  readonly limits: BufferLimits;
}
