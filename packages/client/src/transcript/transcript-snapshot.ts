import type {
  AvailableCommand,
  Cost,
  IncomingSessionConfigOption,
  PlanEntry,
  SessionMode,
  StopReason,
} from "@acp-kit/types";
import type { TranscriptEntry } from "./transcript-entry.js";

/** Token counts, as far as the agent sends them. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** The usage of the conversation: context, tokens and cost, which are three different things. */
export interface TranscriptUsage {
  /** How full the model's context is now. It may shrink. */
  readonly context?: { readonly used: number; readonly size: number };
  /** Tokens of the last turn whose response had them. */
  readonly lastTurn?: TokenCount;
  /** The sum of the tokens of all turns that ran here. */
  readonly total?: TokenCount;
  /** The cost of the session so far, as the agent reports it. */
  readonly cost?: Cost;
}

/** One turn: from a prompt to its stop reason. */
export interface TranscriptTurn {
  /** `replayed`: it is history, without a stop reason. */
  readonly state: "running" | "ended" | "replayed";
  /** The index of its first entry. */
  readonly firstEntry: number;
  readonly stopReason?: StopReason;
  /** Why it failed, if it did. */
  readonly error?: { readonly message: string; readonly code?: number | string };
  readonly usage?: TokenCount;
  /** The part of the prompt that the agent has echoed; an echo is not a message of its own. */
  readonly echo?: { readonly text: string; readonly messageId?: string };
}

/** A command that runs or ran, and its output. */
export interface TranscriptTerminal {
  readonly terminalId: string;
  /** Whether this client runs it, or the agent. */
  readonly owner: "client" | "agent";
  /** The command line, if known. */
  readonly command?: string;
  readonly cwd?: string;
  readonly output: string;
  /** The beginning of the output is missing. */
  readonly truncated?: true;
  /** Set once it has ended: with a code, by a signal, or, if both are absent, in an unknown way. */
  readonly exit?: { readonly exitCode?: number; readonly signal?: string };
  readonly released?: true;
}

/** The modes of a session. */
export interface TranscriptModes {
  readonly currentModeId?: string;
  readonly availableModes: readonly SessionMode[];
}

/**
 * The whole conversation of a session, as one immutable value. Two snapshots share the objects that did not change.
 *
 * It is plain JSON: `JSON.stringify` writes it, `readTranscript` reads it.
 */
export interface TranscriptSnapshot {
  /** The version of this format. */
  readonly version: 1;
  readonly sessionId?: string;
  /** `running` while a turn runs. Updates outside turns, however late, do not change it. */
  readonly activity: "idle" | "running";
  /** The history is being replayed. */
  readonly replaying?: true;
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly TranscriptTurn[];
  /** By `terminalId`. */
  readonly terminals: Readonly<Record<string, TranscriptTerminal>>;
  /** The current plan; each update replaces it as a whole. */
  readonly plan?: readonly PlanEntry[];
  readonly usage: TranscriptUsage;
  readonly title?: string;
  /** When the session was last active, by the agent: ISO 8601. */
  readonly updatedAt?: string;
  readonly commands: readonly AvailableCommand[];
  readonly modes?: TranscriptModes;
  readonly configOptions?: readonly IncomingSessionConfigOption[];
  /** The entries before a load began, restored if the load fails. */
  readonly held?: {
    readonly entries: readonly TranscriptEntry[];
    readonly turns: readonly TranscriptTurn[];
    readonly plan?: readonly PlanEntry[];
  };
}

/** The transcript of a session without any event. */
export const emptyTranscript: TranscriptSnapshot = Object.freeze({
  version: 1,
  activity: "idle",
  entries: [],
  turns: [],
  terminals: {},
  usage: {},
  commands: [],
});
