import type {
  AvailableCommand,
  Cost,
  IncomingSessionConfigOption,
  PlanEntry,
  SessionMode,
  StopReason,
} from "@acp-kit/types";
import type { TranscriptEntry } from "./transcript-entry.js";

/** Tokens, as far as an agent tells them. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** What the conversation has used: three different things that are easily taken for each other. */
export interface TranscriptUsage {
  /** How full the model's context is now. It may shrink. */
  readonly context?: { readonly used: number; readonly size: number };
  /** Tokens of the last turn that told them. */
  readonly lastTurn?: TokenCount;
  /** The tokens of all turns that told them and ran here, added up. */
  readonly total?: TokenCount;
  /** What the session has cost so far, by the agent's own account. */
  readonly cost?: Cost;
}

/** One turn: from a prompt to its stop reason. */
export interface TranscriptTurn {
  /** `replayed`: it is history; how it ended isn't told. */
  readonly state: "running" | "ended" | "replayed";
  /** Where it begins in `entries`. */
  readonly firstEntry: number;
  readonly stopReason?: StopReason;
  /** It failed, and why. */
  readonly error?: { readonly message: string; readonly code?: number | string };
  readonly usage?: TokenCount;
  /** How much of the prompt the agent has echoed; an echo is no message of its own. */
  readonly echo?: { readonly text: string; readonly messageId?: string };
}

/** A command that runs or ran, and what it said. */
export interface TranscriptTerminal {
  readonly terminalId: string;
  /** Who runs it: this client, or the agent, which then only shows it. */
  readonly owner: "client" | "agent";
  /** The command line, where it is known. */
  readonly command?: string;
  readonly cwd?: string;
  readonly output: string;
  /** The beginning of the output is missing. */
  readonly truncated?: true;
  /** It has ended: with a code, or by a signal, or nobody knows how. */
  readonly exit?: { readonly exitCode?: number; readonly signal?: string };
  readonly released?: true;
}

/** The modes of a session. */
export interface TranscriptModes {
  readonly currentModeId?: string;
  readonly availableModes: readonly SessionMode[];
}

/**
 * Everything a session has told, as one immutable value. What did not change between two snapshots is the same object in both.
 *
 * It is plain JSON: `JSON.stringify` writes it, `readTranscript` reads it.
 */
export interface TranscriptSnapshot {
  /** The version of this form. */
  readonly version: 1;
  readonly sessionId?: string;
  /** `running` while a turn runs. What comes outside of turns, however late, does not change it. */
  readonly activity: "idle" | "running";
  /** The history is being told again. */
  readonly replaying?: true;
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly TranscriptTurn[];
  /** By `terminalId`. */
  readonly terminals: Readonly<Record<string, TranscriptTerminal>>;
  /** The plan of the moment: there is one, and each update is the whole of it. */
  readonly plan?: readonly PlanEntry[];
  readonly usage: TranscriptUsage;
  readonly title?: string;
  /** When the session was last active, by the agent: ISO 8601. */
  readonly updatedAt?: string;
  readonly commands: readonly AvailableCommand[];
  readonly modes?: TranscriptModes;
  readonly configOptions?: readonly IncomingSessionConfigOption[];
  /** What was here before a load began: it comes back when the load fails. */
  readonly held?: {
    readonly entries: readonly TranscriptEntry[];
    readonly turns: readonly TranscriptTurn[];
    readonly plan?: readonly PlanEntry[];
  };
}

/** A session that has told nothing yet. */
export const emptyTranscript: TranscriptSnapshot = Object.freeze({
  version: 1,
  activity: "idle",
  entries: [],
  turns: [],
  terminals: {},
  usage: {},
  commands: [],
});
