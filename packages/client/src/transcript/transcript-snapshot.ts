import type {
  AvailableCommand,
  Cost,
  IncomingContentBlock,
  IncomingSessionConfigOption,
  SessionMode,
  StopReason,
} from "@acp-kit/types";
import type { IncomingBackgroundWork, PlanEntry, TerminalSize } from "@acp-kit/types/v2";
import type { TranscriptEntry } from "./transcript-entry.js";

/**
 * Numbers of tokens that a model has read and written, as the agent reports them. Counts that the agent doesn't report
 * are absent.
 */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** The usage of a session: the size of the context, the tokens and the cost. */
export interface TranscriptUsage {
  /**
   * The tokens in the model's context (`used`), and how many it can hold (`size`). `used` can decrease, for example
   * after a compaction.
   */
  readonly context?: { readonly used: number; readonly size: number };
  /** The tokens of the last turn whose response contained token counts. */
  readonly lastTurn?: TokenCount;
  /** The sum of the tokens of all turns of this transcript. */
  readonly total?: TokenCount;
  /** The cost of the session so far, as the agent reports it. */
  readonly cost?: Cost;
}

/** A turn in a transcript: a prompt and the agent's work on it until the stop reason. */
export interface TranscriptTurn {
  /**
   * The state of the turn; `replayed` means that it is part of a loaded history, does not run, and has no stop reason.
   */
  readonly state: "running" | "ended" | "replayed";
  /**
   * Whether this client did not start the turn; see `isJoined` of `PromptTurn`. Its first entries can be missing, or
   * part of the history.
   */
  readonly joined?: true;
  /** `agent` if the agent began the turn by itself, without a prompt. Such a turn is also {@link joined}. */
  readonly origin?: "agent";
  /** The index of the turn's first entry in `entries`. */
  readonly firstEntry: number;
  /** Why the turn ended. In version 2 of the protocol, an agent can send any string. */
  readonly stopReason?: StopReason | (string & {});
  /** The error of the turn, if it failed. */
  readonly error?: { readonly message: string; readonly code?: number | string };
  readonly usage?: TokenCount;
  /** The part of the prompt that the agent has sent back so far. Such an echo is not a separate message. */
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
  /**
   * The exit code of the command or the signal that ended it; if both are absent, it is unknown how the command ended.
   * `exit` is absent while the command runs.
   */
  readonly exit?: { readonly exitCode?: number; readonly signal?: string };
  readonly released?: true;
  /** The size in columns and rows for which the command formats its output, if the agent reports it. */
  readonly size?: TerminalSize;
  /** Whether the client can cancel the command. Only agents of version 2 offer that. */
  readonly canCancel?: true;
  /** The bytes of an incomplete character at the end of the output, in base64, until the other bytes arrive. */
  readonly rest?: string;
}

/**
 * A child session of a transcript's session, such as a subagent. The agent announces it, and runs it itself.
 *
 * @experimental
 */
export interface TranscriptChild {
  readonly sessionId: string;
  /** The child session that has created this one; absent if the session of the transcript has created it. */
  readonly parentId?: string;
  readonly title?: string;
  readonly description?: string;
  readonly cwd?: string;
  /**
   * The state as the agent reports it: `running`, `requires_action`, `idle`, which doesn't end the child session, or
   * `unknown`; from older agents also `completed`, `failed`, `cancelled` and `disconnected`. An agent can send any
   * string. Absent if the agent reports no state.
   */
  readonly state?: string;
  /** Whether the client can cancel the work of this child session. */
  readonly canCancel?: true;
  readonly transcript: TranscriptSnapshot;
}

/** The modes of a session. */
export interface TranscriptModes {
  readonly currentModeId?: string;
  readonly availableModes: readonly SessionMode[];
}

/**
 * The whole conversation of a session as one immutable value. Two snapshots share the objects that did not change.
 *
 * A snapshot is plain JSON: `JSON.stringify` writes it, `readTranscript` reads it.
 */
export interface TranscriptSnapshot {
  /** The version of the snapshot's format. */
  readonly version: 2;
  readonly sessionId?: string;
  /**
   * The activity of the session: `running` while a turn runs, else `idle`. Updates outside turns do not change the
   * activity.
   */
  readonly activity: "idle" | "running";
  /** Whether the running turn waits for the user. Only agents of version 2 report it. */
  readonly requiresAction?: true;
  /** Whether the agent is replaying the history of the session. */
  readonly replaying?: true;
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly TranscriptTurn[];
  /** The terminals of the session, by `terminalId`. */
  readonly terminals: Readonly<Record<string, TranscriptTerminal>>;
  /**
   * The prompts that were sent to the agent, but that the agent has not added to the conversation yet, in their order.
   * Only version 2 of the protocol has such prompts.
   */
  readonly sending?: readonly (readonly IncomingContentBlock[])[];
  /**
   * The work that continues independently of turns, as the agent reports it: tool calls and terminals, by their ids.
   * Absent if the agent doesn't report it. The transcript keeps the first 1,000 items.
   */
  readonly background?: readonly IncomingBackgroundWork[];
  /**
   * The child sessions that the agent has announced, also those of child sessions, by their ids; at most 1,000.
   *
   * @experimental
   */
  readonly children?: Readonly<Record<string, TranscriptChild>>;
  /**
   * The agent's current plan. Each update with a plan replaces the whole plan. Of several plans, it is the one that
   * changed last; the others are in {@link entries}.
   */
  readonly plan?: readonly PlanEntry[];
  readonly usage: TranscriptUsage;
  readonly title?: string;
  /** The time of the session's last activity, as the agent reports it, in ISO 8601. */
  readonly updatedAt?: string;
  readonly commands: readonly AvailableCommand[];
  readonly modes?: TranscriptModes;
  readonly configOptions?: readonly IncomingSessionConfigOption[];
  /**
   * The entries, turns, plan and child sessions from before the current load, which the transcript restores if the load
   * fails.
   */
  readonly held?: {
    readonly entries: readonly TranscriptEntry[];
    readonly turns: readonly TranscriptTurn[];
    readonly plan?: readonly PlanEntry[];
    readonly children?: Readonly<Record<string, TranscriptChild>>;
  };
}

/** The snapshot of a transcript to which no event was applied. */
export const emptyTranscript: TranscriptSnapshot = Object.freeze({
  version: 2,
  activity: "idle",
  entries: [],
  turns: [],
  terminals: {},
  usage: {},
  commands: [],
});
