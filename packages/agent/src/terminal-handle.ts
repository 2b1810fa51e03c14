// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import { after, onAbort } from "@acp-kit/protocol/internal";
import type { TerminalOutputResponse, WaitForTerminalExitResponse } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";

/**
 * A command that runs in a terminal of the client. The agent has to release the terminal even after an error, for
 * example with `await using`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/terminals
 */
export class TerminalHandle {
  readonly sessionId: string;
  readonly terminalId: string;
  readonly #peer: AgentPeer;
  readonly #signal: AbortSignal | undefined;
  #exit: Promise<WaitForTerminalExitResponse> | undefined;
  #released: Promise<void> | undefined;

  /** @internal Created by `client.createTerminal`. */
  constructor(peer: AgentPeer, sessionId: string, terminalId: string, signal: AbortSignal | undefined) {
    this.#peer = peer;
    this.sessionId = sessionId;
    this.terminalId = terminalId;
    this.#signal = signal;
  }

  /**
   * Returns the output of the command so far, and its exit status if the command has ended. The method does not wait
   * for the command.
   */
  output(): Promise<TerminalOutputResponse> {
    return this.#peer.request("terminal/output", this.#params());
  }

  /**
   * Waits until the command ends, but at most `timeoutMs` milliseconds. Resolves with `undefined` if the command still
   * runs then.
   */
  waitForExit(options: {
    readonly timeoutMs: number | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<WaitForTerminalExitResponse | undefined>;
  /**
   * Waits until the command ends. The promise rejects if the turn is cancelled first or `signal` aborts; the command
   * then continues to run until the terminal is killed or released. The method can be called any number of times.
   */
  waitForExit(options?: { readonly signal?: AbortSignal | undefined }): Promise<WaitForTerminalExitResponse>;
  async waitForExit({
    signal,
    timeoutMs,
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
  } = {}): Promise<WaitForTerminalExitResponse | undefined> {
    signal?.throwIfAborted();
    this.#exit ??= this.#peer.request("terminal/wait_for_exit", this.#params(), { signal: this.#signal });
    const exit = this.#exit;
    exit.catch(() => {
      if (this.#exit === exit) this.#exit = undefined; // the next call sends the request again
    });
    if (signal === undefined && timeoutMs === undefined) return exit;
    return new Promise((resolve, reject) => {
      const limitMs = timeoutMs ?? Number.POSITIVE_INFINITY;
      const stopTimer = after(limitMs, () => settle(() => resolve(undefined)), { keepAlive: true });
      const aborted = (): void => settle(() => reject(signal?.reason));
      const settle = (outcome: () => void): void => {
        stopTimer();
        signal?.removeEventListener("abort", aborted);
        outcome();
      };
      if (signal !== undefined) onAbort(signal, aborted);
      exit.then(
        (status) => settle(() => resolve(status)),
        (error) => settle(() => reject(error)),
      );
    });
  }

  /** Kills the command. Its output can still be read. */
  async kill(): Promise<void> {
    await this.#peer.request("terminal/kill", this.#params());
  }

  /** Kills the command if it still runs, and frees the terminal. A second call has no effect. */
  release(): Promise<void> {
    this.#released ??= this.#peer.request("terminal/release", this.#params()).then(() => {});
    return this.#released;
  }

  /** Releases the terminal and ignores errors, because a disconnected client has already released it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release().catch(() => {});
  }

  #params(): { sessionId: string; terminalId: string } {
    return { sessionId: this.sessionId, terminalId: this.terminalId };
  }
}
