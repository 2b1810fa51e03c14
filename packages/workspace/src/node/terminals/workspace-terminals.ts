// Whoever compiles without this library in `lib` gets it from our declarations, which name `Symbol.asyncDispose`.
/// <reference lib="esnext.disposable" preserve="true" />

import { randomUUID } from "node:crypto";
import { ErrorCode, invalidParams, RpcError, resourceNotFound } from "@acp-kit/protocol";
import { essentialEnvironment, type OwnedChild, type StartChildOptions, startChild } from "@acp-kit/stdio/node";
import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  KillTerminalResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
} from "@acp-kit/types";
import type { WorkspaceContext } from "../workspace-context.js";
import { programOf } from "./command-line.js";
import { explainStart } from "./start-failure.js";
import { Terminal } from "./terminal.js";
import { TerminalCwd } from "./terminal-cwd.js";
import { type TerminalInfo, type WorkspaceTerminalsOptions, workspaceTerminalsDefaults } from "./terminals-options.js";

/** Handlers of `terminal/*`: the `terminals` of `connectAgent`. */
export interface WorkspaceTerminals extends AsyncDisposable {
  /** The terminals that were not released, in the order of their creation. */
  readonly openTerminals: readonly TerminalInfo[];
  createTerminal(params: CreateTerminalRequest, context: WorkspaceContext): Promise<CreateTerminalResponse>;
  terminalOutput(params: TerminalOutputRequest, context: WorkspaceContext): Promise<TerminalOutputResponse>;
  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    context: WorkspaceContext,
  ): Promise<WaitForTerminalExitResponse>;
  killTerminal(params: KillTerminalRequest, context: WorkspaceContext): Promise<KillTerminalResponse>;
  releaseTerminal(params: ReleaseTerminalRequest, context: WorkspaceContext): Promise<ReleaseTerminalResponse>;
  /** Releases all terminals of all sessions, and lets no new ones be made. Resolves when nothing of them runs; never rejects. */
  close(): Promise<void>;
}

/**
 * Commands, for an agent: each in a process group of its own, with its output kept within bounds.
 *
 * They run on pipes, not on a terminal device: programs that ask see none, don't colour, and find the end of their input. A command
 * is a program of the user's and can do what the user can; only where it starts is confined. When the session or the connection ends, its
 * terminals are released; `close()`, or `await using`, waits for that.
 *
 * @see https://agentclientprotocol.com/protocol/v1/terminals
 */
export function workspaceTerminals(options: WorkspaceTerminalsOptions = {}): WorkspaceTerminals {
  return new Terminals(options);
}

class Terminals implements WorkspaceTerminals {
  readonly #options: WorkspaceTerminalsOptions;
  readonly #limits: typeof workspaceTerminalsDefaults;
  readonly #cwd: TerminalCwd;
  readonly #terminals = new Map<string, Terminal>();
  /** Terminals that are being made, with their sessions: they count. */
  readonly #creating = new Map<Promise<unknown>, string>();
  readonly #releasing = new Set<Promise<void>>();
  #closed = false;

  constructor(options: WorkspaceTerminalsOptions) {
    this.#options = options;
    this.#limits = { ...workspaceTerminalsDefaults, ...options };
    this.#cwd = new TerminalCwd(options.roots ?? "session");
  }

  get openTerminals(): readonly TerminalInfo[] {
    return [...this.#terminals.values()].map(({ info }) => info);
  }

  createTerminal(params: CreateTerminalRequest, context: WorkspaceContext): Promise<CreateTerminalResponse> {
    const creating = this.#create(params, context).finally(() => this.#creating.delete(creating));
    this.#creating.set(creating, params.sessionId);
    return creating;
  }

  async terminalOutput(params: TerminalOutputRequest): Promise<TerminalOutputResponse> {
    return this.#find(params).output();
  }

  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    { signal }: WorkspaceContext,
  ): Promise<WaitForTerminalExitResponse> {
    return new Promise((resolve, reject) => {
      const { exited } = this.#find(params);
      const abort = (): void => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      void exited.then((exitStatus) => {
        signal.removeEventListener("abort", abort);
        resolve({ ...exitStatus });
      });
    });
  }

  async killTerminal(params: KillTerminalRequest): Promise<KillTerminalResponse> {
    await this.#find(params).kill();
    return {};
  }

  async releaseTerminal(params: ReleaseTerminalRequest): Promise<ReleaseTerminalResponse> {
    await this.#release(this.#find(params));
    return {};
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#creating.keys()); // they find it closed, and release what they made
    for (const terminal of this.#terminals.values()) void this.#release(terminal);
    while (this.#releasing.size > 0) await Promise.all(this.#releasing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #find({ sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string }): Terminal {
    const terminal = this.#terminals.get(terminalId);
    if (terminal?.info.sessionId === sessionId) return terminal;
    throw resourceNotFound(`terminal ${terminalId}`, { terminalId });
  }

  async #create(params: CreateTerminalRequest, context: WorkspaceContext): Promise<CreateTerminalResponse> {
    const { sessionId, command, args = [] } = params;
    const { sessionSignal } = context; // of the session as it is now: it may end while the command starts
    this.#assertRoom(sessionId);
    const cwd = await this.#cwd.find(params.cwd, sessionId, context);
    const info = { sessionId, terminalId: randomUUID(), command, args, cwd };
    const terminal = this.#open(info, await this.#start(params, cwd), params.outputByteLimit);
    this.#releaseWith(terminal, sessionSignal);
    return { terminalId: info.terminalId };
  }

  #assertRoom(sessionId: string): void {
    if (this.#closed) throw new RpcError(ErrorCode.InvalidRequest, "terminal/create: the client is closing");
    const { maxTerminals } = this.#limits;
    const sessions = [...this.openTerminals.map((info) => info.sessionId), ...this.#creating.values()];
    if (sessions.filter((each) => each === sessionId).length < maxTerminals) return;
    const message = `terminal/create: the session has ${maxTerminals} terminals; release one first`;
    throw new RpcError(ErrorCode.InvalidRequest, message, { data: { limit: maxTerminals } });
  }

  async #start(params: CreateTerminalRequest, cwd: string): Promise<OwnedChild> {
    const { env = {}, inheritEnv = essentialEnvironment, ledger, shell } = this.#options;
    const own = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
    const options: StartChildOptions = {
      ...programOf(params.command, params.args ?? [], { cwd, shell }),
      cwd,
      env: { ...env, ...own },
      inheritEnv,
      ...(ledger && { ledger }),
    };
    try {
      return await new Promise((resolve, reject) => {
        const child = startChild(options, reject);
        if (child !== undefined) resolve(child);
      });
    } catch (error) {
      if (error instanceof TypeError) throw invalidParams(`Invalid params: ${error.message}`);
      throw explainStart(error, params.command);
    }
  }

  #open(info: TerminalInfo, child: OwnedChild, outputByteLimit: number | null | undefined): Terminal {
    const { maxOutputBytes, ...limits } = this.#limits;
    const { onStart, onOutput, onExit } = this.#options;
    const terminal = new Terminal(info, child, {
      ...limits,
      outputBytes: Math.min(outputByteLimit ?? maxOutputBytes, maxOutputBytes),
      onOutput: (text) => quietly(() => onOutput?.(info, text)),
      onExit: (exitStatus) => quietly(() => onExit?.(info, exitStatus)),
    });
    this.#terminals.set(info.terminalId, terminal);
    quietly(() => onStart?.(info));
    return terminal;
  }

  /** Releases a terminal when its session ends, which may be now. */
  #releaseWith(terminal: Terminal, sessionSignal: AbortSignal | undefined): void {
    const release = (): void => void this.#release(terminal);
    if (this.#closed || sessionSignal?.aborted) {
      release();
      throw new RpcError(ErrorCode.InvalidRequest, "terminal/create: the session has ended");
    }
    sessionSignal?.addEventListener("abort", release, { once: true });
    void terminal.released.then(() => sessionSignal?.removeEventListener("abort", release));
  }

  #release(terminal: Terminal): Promise<void> {
    this.#terminals.delete(terminal.info.terminalId);
    const releasing = terminal.release().finally(() => this.#releasing.delete(releasing));
    this.#releasing.add(releasing);
    return releasing;
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // A hook that throws changes nothing.
  }
}
