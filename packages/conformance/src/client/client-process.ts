import type { AgentLink } from "./agent-link.js";

/** How a process ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running client. */
export interface ClientProcess {
  /** Resolves when the client has ended, for any reason. */
  readonly exited: Promise<ExitStatus>;
  /** Returns the end of the client's stderr. */
  stderr(): string;
  /** Writes to the client's stdin, like a user at the keyboard. */
  type(text: string): void;
  closeStdin(): void;
  /** Sends a signal, by name. */
  signal(name: string): void;
  /** Kills the client and every process that it started. */
  kill(): Promise<void>;
}

/** Options of one start of a client. */
export interface LaunchOptions {
  /** Called for each agent that the client starts. */
  readonly onAgent: (link: AgentLink) => void;
  /** How many bytes the agent writes to its stderr before it does anything else. */
  readonly stderrBytes: number;
  /** The client's prompt to the agent, for the placeholder in its command. */
  readonly prompt: string;
  /** Variables for the client's own home and temporary folder. @defaultValue none: those of this process */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a fresh client with the scripted agent as its agent. */
export type LaunchClient = (options: LaunchOptions) => Promise<ClientProcess>;
