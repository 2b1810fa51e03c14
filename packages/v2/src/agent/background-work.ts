import { after } from "@acp-kit/protocol/internal";
import type { BackgroundWork as Listed } from "@acp-kit/types/v2";

/** A tool call that continues outside of turns. */
interface BackgroundCall {
  readonly toolCallId: string;
  cancel: (() => void) | undefined;
  isCancelled: boolean;
}

/** A terminal of the agent that has not exited. */
interface RunningTerminal {
  readonly terminalId: string;
  readonly toolCallId: string;
}

/** The time that cancelled work has to end before the session is closed, in milliseconds. */
const CLOSE_GRACE_MS = 1_000;

/**
 * The work of one session that is independent of its foreground work: tool calls that were detached, or opened outside
 * of turns. A command is listed as its terminal, because each work is listed once.
 *
 * @see https://agentclientprotocol.com/protocol/v2/prompt-lifecycle
 */
export class BackgroundWork {
  readonly #calls = new Map<string, BackgroundCall>();
  /** The terminals that have not exited, by the ids of their calls. */
  readonly #terminals = new Map<string, RunningTerminal>();
  readonly #busy: Set<BackgroundWork>;
  #onEmpty: (() => void) | undefined;

  /** @param busy contains this object while there is work. */
  constructor(busy: Set<BackgroundWork>) {
    this.#busy = busy;
  }

  has(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  list(): Listed[] {
    return [...this.#calls.keys()].map((toolCallId): Listed => {
      const terminal = this.#terminals.get(toolCallId);
      return terminal === undefined
        ? { type: "tool_call", toolCallId }
        : { type: "terminal", terminalId: terminal.terminalId };
    });
  }

  /** Adds a call, or the function that cancels it. */
  add(toolCallId: string, cancel: (() => void) | undefined): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) this.#calls.set(toolCallId, { toolCallId, cancel, isCancelled: false });
    else call.cancel = cancel ?? call.cancel;
    this.#busy.add(this);
  }

  /** Whether the client can cancel the call. */
  isCancellable(toolCallId: string): boolean {
    return this.#calls.get(toolCallId)?.cancel !== undefined;
  }

  terminalOf(toolCallId: string): string | undefined {
    return this.#terminals.get(toolCallId)?.terminalId;
  }

  /** Returns the call of a running terminal, if the client can cancel it. */
  callOfTerminal(terminalId: string): string | undefined {
    for (const terminal of this.#terminals.values())
      if (terminal.terminalId === terminalId && this.isCancellable(terminal.toolCallId)) return terminal.toolCallId;
    return undefined;
  }

  /** A tool call shows a terminal of the agent. Returns whether the list has changed. */
  terminalOpened(terminal: RunningTerminal): boolean {
    this.#terminals.set(terminal.toolCallId, terminal);
    return this.has(terminal.toolCallId);
  }

  /** Returns whether the list has changed. */
  terminalExited(terminalId: string): boolean {
    for (const { toolCallId, terminalId: id } of this.#terminals.values())
      if (id === terminalId) {
        this.#terminals.delete(toolCallId);
        return this.has(toolCallId);
      }
    return false;
  }

  /** A call is final. Returns whether the list has changed. */
  ended(toolCallId: string): boolean {
    const wasListed = this.#calls.delete(toolCallId);
    this.#terminals.delete(toolCallId);
    if (this.#calls.size === 0) {
      this.#busy.delete(this);
      this.#onEmpty?.();
    }
    return wasListed;
  }

  /** Calls the function that cancels the work; at most once. */
  cancel(toolCallId: string): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.isCancelled) return;
    call.isCancelled = true;
    call.cancel?.();
  }

  /** Cancels all work, without waiting for its end. */
  cancelAll(): void {
    this.#busy.delete(this);
    for (const toolCallId of [...this.#calls.keys()]) this.cancel(toolCallId);
  }

  /** Cancels all work and waits until it has ended, at most one second. */
  async stop(): Promise<void> {
    this.cancelAll();
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      const stopTimer = after(CLOSE_GRACE_MS, resolve, { keepAlive: true });
      this.#onEmpty = () => {
        stopTimer();
        resolve();
      };
    });
  }
}
