import type { AgentConnection, RememberedChoices, Session, SessionSetup } from "@acp-kit/client";
import type { PermissionPolicy } from "../run/permission-policy.js";
import type { Tape } from "./agent/tape.js";
import type { Paint } from "./text/paint.js";
import type { ChatUi } from "./ui/chat-ui.js";

/** A chat as its commands see it. */
export interface Conversation {
  readonly ui: ChatUi;
  readonly paint: Paint;
  readonly agent: AgentConnection;
  readonly setup: SessionSetup;
  /** The session of the moment; `undefined` when none could be opened. */
  readonly session: Session | undefined;
  readonly tape: Tape;
  readonly remembered: RememberedChoices;
  /** Who decides about permissions. */
  policy: PermissionPolicy;
  /** Goes over to another session: what is said from here on is said there. */
  open(open: () => Promise<Session>): Promise<void>;
  /** Cancels the running turn and what waits behind it. `false` when nothing runs. */
  cancel(): boolean;
  leave(): void;
}

/** The session, for commands that need one. @throws {Error} that says what to do. */
export function sessionOf({ session }: Conversation): Session {
  if (session === undefined) throw new Error("There is no session: /new begins one, /login may be needed first.");
  return session;
}
