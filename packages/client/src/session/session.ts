// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import type { IncomingBackgroundWork } from "@acp-kit/types/v2";
import type { PromptInput, UnsupportedBlocks } from "../prompt/prompt-content.js";
import type { Readable } from "../transcript/readable.js";
import type { Transcript } from "../transcript/transcript.js";
import type { SessionOptionList } from "./option-list.js";
import type { SteerOutcome } from "./steer.js";

// What an application sees of a session: the session, its turns and its updates. These types name each other, so they
// are in one file, and the implementations (`live-session.ts`, `turn.ts`) import them.

/** How the client opened a session on this connection. */
export type SessionOrigin = "new" | "loaded" | "resumed";

/**
 * A conversation with an agent: the client sends prompts, the agent sends updates.
 *
 * A session runs one turn at a time, and a prompt sent during a turn is queued. If the session has no listener, its
 * updates are buffered for the first listener.
 */
export interface Session {
  readonly sessionId: string;
  /**
   * The absolute paths of the session's folders: its working directory, then the additional directories. The list is
   * empty after the session was closed.
   */
  readonly roots: readonly string[];
  /** How the session was opened: created, loaded with its history, or resumed without its history. */
  readonly origin: SessionOrigin;
  /** The mode, the model and all other options of the session, as one list. */
  readonly options: SessionOptionList;
  /**
   * The whole conversation, accumulated for a user interface; see {@link Transcript}. It keeps the state and not the
   * single updates; an application that shows no conversation saves its memory with `transcript: false`.
   *
   * @throws {TypeError} when the client was connected with `transcript: false`.
   */
  readonly transcript: Transcript;
  /**
   * The activity of the session: `running` from the moment a prompt is sent until its response arrives, and while the
   * agent runs a turn that another client has started, as a gateway reports it; else `idle`. Updates outside turns
   * don't change the activity. In version 2, it is also `running` while the agent works without a prompt.
   */
  readonly activity: "idle" | "running";
  /**
   * The running turn of the session, or `undefined`. The turn can be one that this client did not start: see
   * {@link PromptTurn.isJoined}.
   */
  readonly turn: PromptTurn | undefined;
  /**
   * The turns of the session that are not settled, the running turn first. A user interface can show them as its list
   * of queued prompts. It is the same list until something changes.
   */
  readonly queue: readonly PromptTurn[];
  /** Whether the application has closed or deleted the session. */
  readonly closed: boolean;
  /**
   * The work that continues independently of turns: tool calls and terminals, by their ids. `undefined` if the agent
   * does not report it, as in version 1; an empty list if there is none.
   */
  readonly background: Readable<readonly IncomingBackgroundWork[] | undefined>;
  /**
   * Calls `listener` after {@link queue} or the state of one of its turns has changed. The returned function removes
   * the listener.
   */
  onQueueChange(listener: () => void): () => void;
  /**
   * Sends a prompt and returns its turn immediately. While another turn of the session runs, the prompt is queued
   * (`concurrentPrompts: "queue"`), its result rejects (`"reject"`), or it is sent at once (`"send"`).
   */
  prompt(input: PromptInput, options?: PromptOptions): PromptTurn;
  /**
   * Cancels the running turn, also one that another client has started, and the queued prompts of this client. Without
   * a running turn, it does nothing.
   */
  cancel(): void;
  /**
   * Returns whether the agent can cancel a tool call, or a terminal of its own, alone. In version 1, it can't.
   *
   * @param what the kind of work that the id names. A terminal can have the same id as a tool call.
   */
  canCancel(id: string, what?: "tool_call" | "terminal"): boolean;
  /**
   * Cancels one tool call with `tool_call/cancel`. Resolves when the agent has accepted that; the end is the final
   * status of the tool call.
   *
   * @throws {CapabilityError} when the agent can't cancel it alone, as in version 1.
   */
  cancelToolCall(toolCallId: string): Promise<void>;
  /**
   * Cancels the command in a terminal of the agent with `terminal/cancel`. Resolves when the agent has accepted that;
   * the end is the exit status of the terminal.
   *
   * @throws {CapabilityError} when the agent can't cancel it alone, as in version 1.
   */
  cancelTerminal(terminalId: string): Promise<void>;
  /**
   * Sends a message to the agent during the running turn, if the agent supports steering, as every agent of version 2
   * does. Resolves with `no_turn` if no turn was running; the application can then send a prompt instead.
   *
   * @throws {CapabilityError} when the agent doesn't support steering, or doesn't accept a block of the message.
   */
  steer(input: PromptInput): Promise<SteerOutcome>;
  /**
   * Adds a listener for the session's updates during and outside turns. To receive the updates of one prompt, read its
   * turn instead. A listener receives updates one at a time, in the order in which they arrived; the next one, and the
   * result of the turn, wait for the promise that it returns. If neither the session nor the connection had a listener
   * before, the listener also receives the buffered updates that belong to no prompt of this client. The returned
   * function removes the listener.
   */
  onUpdate(listener: UpdateListener): () => void;
  /**
   * Closes the session: cancels the turns of this client and sends `session/close`. If the agent can't close sessions,
   * the client only cancels the turns. `await using session = …` closes the session at the end of the block. A second
   * call has no effect.
   *
   * @throws {RpcError} when the agent responds with an error. An error that means that the agent doesn't know the
   * session is ignored.
   */
  close(): Promise<void>;
  /** Calls {@link close}, but does not throw if the connection has already ended. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of one prompt. */
export interface PromptOptions {
  /** A signal whose abort cancels the turn, as `turn.cancel()` does. */
  readonly signal?: AbortSignal;
  /**
   * If the agent sends no update for this many milliseconds, the client cancels the turn and rejects its result. The
   * time during which the agent waits for a response of the client doesn't count, and the limit doesn't pass while a
   * listener of the session is running or while the connection has paused reading because the application reads a turn
   * too slowly. It ends with the cancel of the turn. By default, there is no such limit.
   */
  readonly idleTimeoutMs?: number;
  /**
   * The time in milliseconds after which the result of a cancelled turn rejects if the agent has not responded. The
   * default is 30,000; 0 means no limit.
   */
  readonly cancelTimeoutMs?: number;
  /**
   * What the client does with content blocks of a kind that the agent did not advertise. With the default `reject`, the
   * result of the turn rejects with `CapabilityError`.
   */
  readonly unsupportedBlocks?: UnsupportedBlocks;
  /** The `_meta` of the request `session/prompt`. */
  readonly meta?: Record<string, unknown>;
}

/**
 * The state of a turn: `queued` while earlier turns run, `held` while the agent has the prompt but has not added it to
 * the conversation (only in version 2), `running` while the agent works on it, or `settled` when its result has
 * resolved or rejected.
 */
export type TurnState = "queued" | "held" | "running" | "settled";

/** A prompt that is part of the conversation. */
export interface InsertedPrompt {
  /** The agent's id of the user message. Version 1 has none. */
  readonly messageId: string | undefined;
}

/**
 * A prompt and the agent's work on it, also if another client has sent the prompt. {@link text} resolves with the whole
 * text, {@link textStream} yields the text as it arrives, a loop over the turn yields every update, and {@link result}
 * resolves with the stop reason.
 *
 * Reading the turn is the usual way to receive updates. The updates of a turn can be read only once: with `text`, with
 * `textStream` or with a loop. Begin at once: the client buffers 10,000 updates before the first read. Reading ends
 * after the last update of the turn; if the turn failed, it then throws the error of {@link result}. The result settles
 * after all listeners have finished with all updates of the turn.
 *
 * @example
 * ```ts
 * const answer = await session.prompt("Explain this").text();
 *
 * const turn = session.prompt("Explain this");
 * for await (const update of turn) render(update);
 * const { stopReason } = await turn.result;
 * ```
 */
export interface PromptTurn extends AsyncIterable<IncomingSessionUpdate> {
  readonly session: Session;
  /**
   * A promise of the turn's stop reason. It rejects with `RpcError` if the agent responded with an error, with
   * `ConnectionError` if the agent's process ended or did not respond in time, and with `CapabilityError` if the prompt
   * has content that the agent doesn't accept. For a cancelled turn it resolves with `stopReason: "cancelled"`.
   */
  readonly result: Promise<PromptResponse>;
  /**
   * Resolves when the agent has added the prompt to the conversation; in version 1, when the client has sent it.
   * Rejects with an `AbortError` if the turn ends before that.
   */
  readonly inserted: Promise<InsertedPrompt>;
  /** The content blocks of the prompt, as the client sends them. The list is empty if {@link isJoined}. */
  readonly prompt: readonly ContentBlock[];
  /**
   * Whether this client did not start the turn: another client has sent its prompt, or this client over an earlier
   * connection. The turn has the updates that arrive after the client has learnt of it.
   */
  readonly isJoined: boolean;
  /** The state of the turn. Listeners of `session.onQueueChange` are notified when it changes. */
  readonly state: TurnState;
  /**
   * Resolves with the text of the agent's messages when the turn has ended, with an empty line between two messages.
   * The text includes embedded text files, but not thoughts, tool calls and other content. For a cancelled turn it
   * resolves with the text that has arrived.
   *
   * It rejects as {@link result} does, and with `TypeError` if the updates of the turn have already been read.
   */
  text(): Promise<string>;
  /**
   * Yields the text of the agent's messages as it arrives. Joined, the pieces equal the result of {@link text}, unless
   * an agent of version 2 has replaced a message: then only `text` has the new content.
   */
  readonly textStream: AsyncGenerator<string, void, undefined>;
  /**
   * Yields the updates of this turn, including those that have already arrived. A permission request or a form of the
   * agent is handled when the loop has received the updates that came before it. Read until the end or `break`: a
   * reader that stops without leaving the loop blocks the connection once its buffer is full.
   */
  [Symbol.asyncIterator](): AsyncGenerator<IncomingSessionUpdate, void, undefined>;
  /**
   * Cancels the turn: sends `session/cancel`, and settles the session's open permission requests with `cancelled`.
   * Updates can still arrive after that, and the result settles as usual. If the turn is queued, the agent does not get
   * its prompt; if it is held, only this prompt is withdrawn. Calling it again, or after the turn has ended, has no
   * effect.
   */
  cancel(): void;
  /**
   * Removes a queued turn from the queue: the agent does not get its prompt, and its result has the stop reason
   * `cancelled`. Returns `false`, and does nothing, if the turn is not `queued`.
   */
  remove(): boolean;
}

/** The second argument of an update listener: the session and the turn to which the update belongs. */
export interface UpdateContext {
  readonly session: Session;
  /** The running turn to which the update belongs; `undefined` for updates outside turns. */
  readonly turn: PromptTurn | undefined;
  /** Whether the update is part of a history that the agent replays during `session/load`. */
  readonly replayed: boolean;
  /**
   * The id of the child session to which the update belongs; `session` is the session that owns it. Only clients with
   * the feature `subagents` of `@acp-kit/client/unstable` receive such updates.
   */
  readonly child?: string;
}

/**
 * A function that receives the updates of a session, one at a time, in the order in which they arrived. If the listener
 * returns a promise, the next update of the session waits for that promise.
 */
export type UpdateListener = (update: IncomingSessionUpdate, context: UpdateContext) => unknown;
