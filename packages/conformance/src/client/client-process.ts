import type { AgentLink } from "./agent-link.js";

/** How a process ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running client. */
export interface ClientProcess {
  /** Resolves when it has ended, however that came. */
  readonly exited: Promise<ExitStatus>;
  /** What it has written to its stderr, its end. */
  stderr(): string;
  /** Writes to its stdin, as a person at the keyboard would. */
  type(text: string): void;
  closeStdin(): void;
  /** Sends a signal, by name. */
  signal(name: string): void;
  /** Ends it for good, with everything it has started. */
  kill(): Promise<void>;
}

/** What a client is started for. */
export interface LaunchOptions {
  /** Called for each agent that the client starts. */
  readonly onAgent: (link: AgentLink) => void;
  /** How many bytes the agent writes to its stderr before it does anything else. */
  readonly stderrBytes: number;
  /** What the client is to ask the agent, where its command has a place for it. */
  readonly prompt: string;
}

/** Starts a fresh client that takes our scripted agent for its agent. */
export type LaunchClient = (options: LaunchOptions) => Promise<ClientProcess>;
