import type { Recording } from "@acp-kit/testing/recording";
import type { Mark } from "../marks/mark.js";

// The messages between the page and its server. The code of the page also imports these types.

/**
 * The way in which the inspector responds to requests for files or terminals: `real` serves them from this machine,
 * `refused` responds with an error, and `manual` leaves them to the page.
 */
export type AccessMode = "real" | "refused" | "manual";

/** How the inspector responds to requests for files and for terminals. */
export interface AccessSetting {
  readonly files: AccessMode;
  readonly terminals: AccessMode;
}

/** The states of the agent: `starting`, `running`, or `ended`, with the reason. */
export type AgentStatus = { readonly is: "starting" | "running" } | { readonly is: "ended"; readonly reason: string };

/** The state of the inspector, without the recorded messages. */
export interface ServerState {
  /**
   * `agent`: the page controls an agent. `proxy`: another client controls the agent. `recording`: the page shows a
   * recording. `page`: the page is a file with a recording, without a server.
   */
  readonly mode: "agent" | "proxy" | "recording" | "page";
  readonly title?: string;
  readonly cwd?: string;
  readonly status?: AgentStatus;
  readonly access?: AccessSetting;
  readonly initialize?: unknown;
  /** The number of lines of the recording that can't be read. */
  readonly problems?: number;
  /** The recording to compare with. */
  readonly other?: Recording;
}

/** A message to the page. */
export type ServerMessage =
  | ({ readonly is: "hello"; readonly header: string; readonly count: number } & ServerState)
  | ({ readonly is: "state" } & ServerState)
  /** The lines of the entries follow this message, each on its own line. */
  | { readonly is: "entries"; readonly from: number }
  | { readonly is: "marks"; readonly marks: readonly Mark[] }
  /** The result of the command `check` with this number. */
  | { readonly is: "checked"; readonly number: number; readonly faults: readonly string[] };

/** A command of the page. */
export type PageCommand =
  /** Sends a request with the next free id. */
  | { readonly do: "request"; readonly method: string; readonly params?: unknown }
  /** Sends a message unchanged, even if it is invalid. */
  | { readonly do: "send"; readonly message: unknown }
  /** Checks a message without sending it. */
  | { readonly do: "check"; readonly number: number; readonly message: unknown }
  | { readonly do: "access"; readonly setting: AccessSetting }
  /** Starts the agent again, and initializes it. */
  | { readonly do: "restart"; readonly initialize?: unknown }
  | { readonly do: "stop" };
