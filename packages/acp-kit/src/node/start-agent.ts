import { type AgentConnection, type ConnectAgentOptions, connectAgent, type Tap } from "@acp-kit/client";
import { type AgentProcess, createLedger, spawnAgent } from "@acp-kit/stdio/node";
import type { AgentCommand } from "./agent-argument.js";
import type { Host } from "./host.js";
import type { Log } from "./log.js";
import { stateDirectory } from "./state-directory.js";
import { version } from "./version.js";
import { wireLine } from "./wire-line.js";

/** How an agent is started and connected to. */
export interface StartOptions {
  /** Where its process runs. */
  readonly cwd: string;
  readonly log: Log;
  /** What goes beyond what every command wants: handlers, a tap, the signal that ends connecting. */
  readonly connect?: Omit<ConnectAgentOptions, "info">;
}

/** An agent that runs and is initialized. */
export interface StartedAgent extends AsyncDisposable {
  readonly connection: AgentConnection;
  readonly process: AgentProcess;
  /** From the start of the process to the answer of `initialize`, in milliseconds. */
  readonly startupMs: number;
  /** Ends the agent: its input, then `SIGTERM`, then `SIGKILL`, for the whole process tree. Never rejects. */
  close(): Promise<void>;
}

/**
 * Starts an agent and initializes it. What it writes to its standard error and what is odd on its wire goes to the log. The agent is
 * remembered on disk while it runs, so that the next start of any ends it when this process is killed.
 *
 * @throws whatever `connectAgent` throws; nothing of the agent is left then.
 */
export async function startAgent(agent: AgentCommand, host: Host, options: StartOptions): Promise<StartedAgent> {
  const { cwd, log, connect = {} } = options;
  // Windows tells about its processes only through PowerShell, which takes longer than most agents.
  const ledger = process.platform === "win32" ? undefined : stateDirectory("agents", host.env);
  const started = performance.now();
  const child = spawnAgent({
    ...agent,
    cwd,
    onStderr: (line) => log.debug(`agent: ${line}`),
    ...(ledger !== undefined && { ledger: createLedger(ledger) }),
  });
  try {
    const taps = [connect.tap, log.level === "debug" ? tapToLog(log, started) : undefined].filter(
      (tap) => tap !== undefined,
    );
    const connection = await connectAgent(child, {
      ...connect,
      info: { name: "acp-kit", title: "acp-kit command line", version: version() },
      onDiagnostic(diagnostic) {
        log.warn(diagnostic.message);
        connect.onDiagnostic?.(diagnostic);
      },
      ...(taps.length > 0 && { tap: (event) => taps.forEach((tap) => tap(event)) }),
    });
    const startupMs = performance.now() - started;
    const close = (): Promise<void> => connection.close();
    return { connection, process: child, startupMs, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await child.close();
    throw error;
  }
}

function tapToLog(log: Log, startedAt: number): Tap {
  return (event) => log.debug(wireLine(event, startedAt) ?? `agent, not a message: ${String(event.message)}`);
}
