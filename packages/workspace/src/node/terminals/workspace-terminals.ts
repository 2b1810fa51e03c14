// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import { randomUUID } from "node:crypto";
import { ErrorCode, RpcError, resourceNotFound } from "@acp-kit/protocol";
import { checkOptions, limitsAmong, type OptionKinds, shorten } from "@acp-kit/protocol/internal";
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
import { assertCount } from "../assert-count.js";
import type { WorkspaceContext } from "../workspace-context.js";
import { AbortCallbacks } from "./abort-callbacks.js";
import { assertCommand, assertCommandSize } from "./command-limits.js";
import { programOf } from "./command-line.js";
import { explainStart } from "./start-failure.js";
import { Terminal } from "./terminal.js";
import { badCwd, type HeldCwd, TerminalCwd } from "./terminal-cwd.js";
import { TerminalSlots } from "./terminal-slots.js";
import {
  type FixedTerminalLimits,
  fixedTerminalLimits,
  type TerminalInfo,
  type WorkspaceTerminalsOptions,
  workspaceTerminalsDefaults,
} from "./terminals-options.js";

/** The handlers of `terminal/*` methods, for the option `terminals` of `connectAgent`. */
export interface WorkspaceTerminals extends AsyncDisposable {
  /** The terminals that have not been released, in the order of their creation. */
  readonly openTerminals: readonly TerminalInfo[];
  createTerminal(params: CreateTerminalRequest, context: WorkspaceContext): Promise<CreateTerminalResponse>;
  terminalOutput(params: TerminalOutputRequest, context: WorkspaceContext): Promise<TerminalOutputResponse>;
  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    context: WorkspaceContext,
  ): Promise<WaitForTerminalExitResponse>;
  killTerminal(params: KillTerminalRequest, context: WorkspaceContext): Promise<KillTerminalResponse>;
  releaseTerminal(params: ReleaseTerminalRequest, context: WorkspaceContext): Promise<ReleaseTerminalResponse>;
  /** Releases all terminals and creates no new ones. Resolves when all processes have ended; never rejects. */
  close(): Promise<void>;
}

/**
 * Creates handlers that run commands for an agent, each in its own process group and with bounded output.
 *
 * Commands have pipes instead of a terminal device. Programs that check for a terminal therefore don't colour their
 * output. The input of a command is empty. A command runs as the user and can do everything that the user can; only its
 * working directory is confined. When the session or the connection ends, its terminals are released; `close()` or
 * `await using` waits for that.
 *
 * @throws {TypeError} for a limit that is `NaN`, negative or not a number.
 * @see https://agentclientprotocol.com/protocol/v1/terminals
 */
export function workspaceTerminals(options: WorkspaceTerminalsOptions = {}): WorkspaceTerminals {
  checkOptions("workspaceTerminals", options, optionKinds);
  return new Terminals(options);
}

const optionKinds: OptionKinds<WorkspaceTerminalsOptions> = {
  roots: "value",
  shell: "value",
  env: "value",
  inheritEnv: "value",
  onOutput: "function",
  onStart: "function",
  onExit: "function",
  ledger: "value",
  maxTerminals: "value",
  maxOutputBytes: "value",
  maxLifetimeMs: "value",
};

/** @internal The terminals of {@link workspaceTerminals}, with fixed limits that tests choose. */
export class Terminals implements WorkspaceTerminals {
  readonly #options: WorkspaceTerminalsOptions;
  readonly #limits: typeof workspaceTerminalsDefaults & FixedTerminalLimits;
  readonly #cwd: TerminalCwd;
  readonly #slots: TerminalSlots;
  readonly #abortCallbacks = new AbortCallbacks();
  readonly #terminals = new Map<string, { readonly terminal: Terminal; readonly freeSlot: () => void }>();
  readonly #creating = new Set<Promise<unknown>>();
  readonly #releasing = new Set<Promise<void>>();
  #closed = false;

  constructor(options: WorkspaceTerminalsOptions, fixed: Partial<FixedTerminalLimits> = {}) {
    this.#options = options;
    const limits = limitsAmong("workspaceTerminals", workspaceTerminalsDefaults, options);
    this.#limits = { ...fixedTerminalLimits, ...fixed, ...limits };
    this.#cwd = new TerminalCwd(options.roots ?? "session");
    this.#slots = new TerminalSlots(this.#limits.maxTerminals);
  }

  get openTerminals(): readonly TerminalInfo[] {
    return [...this.#terminals.values()].map(({ terminal }) => terminal.info);
  }

  createTerminal(params: CreateTerminalRequest, context: WorkspaceContext): Promise<CreateTerminalResponse> {
    const creating = this.#create(params, context).finally(() => this.#creating.delete(creating));
    this.#creating.add(creating);
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
      signal.throwIfAborted();
      const removeCallback = this.#abortCallbacks.add(signal, () => reject(signal.reason));
      void exited.then((exitStatus) => {
        removeCallback();
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
    // A pending `createTerminal` releases its terminal, because `#closed` is set.
    await Promise.allSettled(this.#creating);
    for (const { terminal } of this.#terminals.values()) void this.#release(terminal);
    while (this.#releasing.size > 0) await Promise.all(this.#releasing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #find({ sessionId, terminalId }: { readonly sessionId: string; readonly terminalId: string }): Terminal {
    const terminal = this.#terminals.get(terminalId)?.terminal;
    if (terminal?.info.sessionId === sessionId) return terminal;
    throw resourceNotFound(`terminal ${shorten(terminalId)}`, { terminalId: shorten(terminalId) });
  }

  async #create(params: CreateTerminalRequest, context: WorkspaceContext): Promise<CreateTerminalResponse> {
    if (this.#closed) throw new RpcError(ErrorCode.invalidRequest, "terminal/create: the client is closing");
    assertCount("outputByteLimit", params.outputByteLimit);
    assertCommandSize(params, this.#limits);
    assertCommand(params);
    // Read now, because the session may end while the directory is opened, and then has another signal
    const { sessionSignal } = context;
    const freeSlot = this.#slots.take(context.session === undefined ? undefined : params.sessionId);
    try {
      const cwd = await this.#cwd.open(params.cwd, params.sessionId, context);
      try {
        const terminal = await this.#startIn(cwd, params, sessionSignal, freeSlot);
        return { terminalId: terminal.info.terminalId };
      } finally {
        await cwd.close();
      }
    } catch (error) {
      freeSlot();
      throw error;
    }
  }

  async #startIn(
    cwd: HeldCwd,
    params: CreateTerminalRequest,
    sessionSignal: AbortSignal | undefined,
    freeSlot: () => void,
  ): Promise<Terminal> {
    const { sessionId, command, args = [] } = params;
    const info = { sessionId, terminalId: randomUUID(), command, args, cwd: cwd.realPath };
    const child = await this.#start(params, cwd);
    const terminal = this.#open(info, child, params.outputByteLimit, freeSlot);
    this.#releaseWith(terminal, sessionSignal);
    if (await cwd.isInside()) return terminal;
    await this.#release(terminal);
    throw badCwd(params.cwd ?? cwd.realPath);
  }

  async #start(params: CreateTerminalRequest, cwd: HeldCwd): Promise<OwnedChild> {
    const { env = {}, inheritEnv = essentialEnvironment, ledger, shell } = this.#options;
    const own = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
    const options: StartChildOptions = {
      ...programOf(params.command, params.args ?? [], { cwd: cwd.path, shell }),
      cwd: cwd.path,
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
      throw explainStart(error, params.command, cwd);
    }
  }

  #open(
    info: TerminalInfo,
    child: OwnedChild,
    outputByteLimit: number | null | undefined,
    freeSlot: () => void,
  ): Terminal {
    const { maxOutputBytes, ...limits } = this.#limits;
    const { onStart, onOutput, onExit } = this.#options;
    const terminal = new Terminal(info, child, {
      ...limits,
      outputBytes: Math.min(outputByteLimit ?? maxOutputBytes, maxOutputBytes),
      onOutput: (text) => quietly(() => onOutput?.(info, text)),
      onExit: (exitStatus) => quietly(() => onExit?.(info, exitStatus)),
    });
    this.#terminals.set(info.terminalId, { terminal, freeSlot });
    quietly(() => onStart?.(info));
    return terminal;
  }

  /** Releases a terminal when its session ends, or immediately if the session has ended. */
  #releaseWith(terminal: Terminal, sessionSignal: AbortSignal | undefined): void {
    const release = (): void => void this.#release(terminal);
    if (this.#closed || sessionSignal?.aborted) {
      release();
      throw new RpcError(ErrorCode.invalidRequest, "terminal/create: the session has ended");
    }
    if (sessionSignal !== undefined) {
      void terminal.released.then(this.#abortCallbacks.add(sessionSignal, release));
    }
  }

  #release(terminal: Terminal): Promise<void> {
    const { terminalId } = terminal.info;
    this.#terminals.get(terminalId)?.freeSlot();
    this.#terminals.delete(terminalId);
    const releasing = terminal.release().finally(() => this.#releasing.delete(releasing));
    this.#releasing.add(releasing);
    return releasing;
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // An error of the application's callback has no effect on the terminal.
  }
}
