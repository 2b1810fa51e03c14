import type { AgentConnection, RememberedDecisions, Session, SessionSetup } from "@acp-kit/client";
import type { PermissionPolicy } from "../run/permission-policy.js";
import type { Tape } from "./agent/tape.js";
import type { Paint } from "./text/paint.js";
import type { ChatUi } from "./ui/chat-ui.js";

/** The parts of a chat that its commands use. */
export interface Conversation {
  readonly ui: ChatUi;
  readonly paint: Paint;
  readonly agent: AgentConnection;
  readonly setup: SessionSetup;
  /** The folder of this machine to which paths are relative. */
  readonly cwd: string;
  /** The current session; `undefined` if none could be opened. */
  readonly session: Session | undefined;
  /** Whether the agent has ended by itself, and the current session with it. */
  readonly isLost: boolean;
  readonly tape: Tape;
  readonly remembered: RememberedDecisions;
  /** The permission policy. */
  policy: PermissionPolicy;
  /** Switches to another session. Later prompts belong to that session. */
  open(open: () => Promise<Session>): Promise<void>;
  /** Cancels the running turn and queued prompts. Returns `false` if no turn runs. */
  cancel(): boolean;
  leave(): void;
}

/**
 * Returns the session, for commands that need a session.
 *
 * @throws {Error} without a session; the message says what the user can do.
 */
export function sessionOf({ session }: Conversation): Session {
  if (session === undefined)
    throw new Error("There is no open session: /new starts one; the agent may require /login first.");
  return session;
}
