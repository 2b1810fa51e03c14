import type {
  AvailableCommand,
  Cost,
  IncomingSessionConfigOption,
  PlanEntry,
  SessionMode,
  StopReason,
} from "@acp-kit/types";
import type { TranscriptEntry } from "./transcript-entry.js";

/** Token counts of a model, with the members that the agent sends. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** The usage of a session: how full the context is, the tokens, and the cost. */
export interface TranscriptUsage {
  /** How full the model's context is now. This number may decrease, for example after a compaction. */
  readonly context?: { readonly used: number; readonly size: number };
  /** The tokens of the last turn whose response had token counts. */
  readonly lastTurn?: TokenCount;
  /** The sum of the tokens of all turns of this transcript. */
  readonly total?: TokenCount;
  /** The cost of the session so far, as the agent reports it. */
  readonly cost?: Cost;
}

/** One turn in a transcript, from a prompt to its stop reason. */
export interface TranscriptTurn {
  /** The state of the turn; `replayed` means that it is part of a loaded history and has no stop reason. */
  readonly state: "running" | "ended" | "replayed";
  /** The index of the turn's first entry in `entries`. */
  readonly firstEntry: number;
  readonly stopReason?: StopReason;
  /** The error of the turn, if it failed. */
  readonly error?: { readonly message: string; readonly code?: number | string };
  readonly usage?: TokenCount;
  /** The part of the prompt that the agent has sent back as an echo; an echo is not a separate message. */
  readonly echo?: { readonly text: string; readonly messageId?: string };
}

/** A command that runs or ran in a terminal, and its output. */
export interface TranscriptTerminal {
  readonly terminalId: string;
  /** Whether the client or the agent runs the terminal. */
  readonly owner: "client" | "agent";
  /** The command line of the terminal, if known. */
  readonly command?: string;
  readonly cwd?: string;
  readonly output: string;
  /** Whether the beginning of the output is missing. */
  readonly truncated?: true;
  /** How the command ended: with a code, by a signal, or, if both are absent, in an unknown way. It is absent while the command runs. */
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
 * A snapshot is plain JSON: `JSON.stringify` writes it, `readTranscript` reads it.
 */
export interface TranscriptSnapshot {
  /** The version of the snapshot's format. */
  readonly version: 1;
  readonly sessionId?: string;
  /** The activity of the session: `running` while a turn runs, else `idle`. Updates outside turns do not change the activity. */
  readonly activity: "idle" | "running";
  /** Whether the agent is replaying the history of the session. */
  readonly replaying?: true;
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly TranscriptTurn[];
  /** The terminals of the session, by `terminalId`. */
  readonly terminals: Readonly<Record<string, TranscriptTerminal>>;
  /** The agent's current plan; each plan update replaces the whole plan. */
  readonly plan?: readonly PlanEntry[];
  readonly usage: TranscriptUsage;
  readonly title?: string;
  /** The time of the session's last activity, as the agent reports it, in ISO 8601. */
  readonly updatedAt?: string;
  readonly commands: readonly AvailableCommand[];
  readonly modes?: TranscriptModes;
  readonly configOptions?: readonly IncomingSessionConfigOption[];
  /** The entries from before a load, which the transcript restores if the load fails. */
  readonly held?: {
    readonly entries: readonly TranscriptEntry[];
    readonly turns: readonly TranscriptTurn[];
    readonly plan?: readonly PlanEntry[];
  };
}

/** The transcript snapshot of a session without any event. */
export const emptyTranscript: TranscriptSnapshot = Object.freeze({
  version: 1,
  activity: "idle",
  entries: [],
  turns: [],
  terminals: {},
  usage: {},
  commands: [],
});
