import type { ErrorObject } from "@acp-kit/jsonrpc";
import type { Outcome } from "../journal/journal-entry.js";

/** What an agent needs to open a session. It may hold secrets (`mcpServers`), so it is never journalled. */
export interface SessionOpening {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers: readonly unknown[];
}

/** What a client that is attached to a session can do for its agent. */
export interface Presence {
  /** It may respond to permission requests and elicitations; an observer may not. */
  readonly isInteractive: boolean;
  /** The methods of the agent that it serves, by its capabilities: files and terminals. */
  readonly serves: readonly string[];
}

/**
 * What a client wants of the owner of a session. Commands travel between replicas as JSON; each may arrive more than once.
 *
 * - `prompt`: run a turn. The response is its entry in the journal; `key` makes sure that it runs once.
 * - `cancel`: cancel the running turn, or the client's queued prompts.
 * - `call`: any other request of the client about the session.
 * - `respond`: the client's response to a request of the agent.
 * - `attend`: the client is attached; repeated from time to time. `leave`: it no longer is.
 * - `close`: the client closes the session; `end` closes it for all, before it is deleted.
 * - `trim`: remove what is older than the host's retention allows, before a client reads the session.
 */
export type Command =
  | {
      readonly is: "prompt";
      readonly client: string;
      readonly key: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly opening: SessionOpening;
    }
  | { readonly is: "cancel"; readonly client: string }
  | {
      readonly is: "call";
      readonly client: string;
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly opening: SessionOpening;
    }
  | { readonly is: "notify"; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly is: "respond"; readonly client: string; readonly request: string; readonly outcome: Outcome }
  | { readonly is: "attend"; readonly client: string; readonly presence: Presence }
  | { readonly is: "leave"; readonly client: string }
  | { readonly is: "close"; readonly client: string }
  | { readonly is: "end" | "trim" };

/**
 * What the owner replies:
 *
 * - `done`: it is done. A `call` has its outcome; `at` is the end of the journal then, which the client has to reach first.
 * - `refused`: the error to respond with.
 * - `not_owner`: another replica owns the session now, or none.
 */
export type Reply =
  | { readonly is: "done"; readonly at: number; readonly outcome?: Outcome }
  | { readonly is: "refused"; readonly error: ErrorObject }
  | { readonly is: "not_owner" };
