import { type Diagnostic, type DialectName, dialectRules, isAuthRequired, type Session } from "@acp-kit/client";
import type { AgentCommand } from "../agent-argument.js";
import { errorText } from "../error-text.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import { type StartedAgent, startAgent } from "../start-agent.js";
import type { Examination, ExitFindings, Oddity, SessionFindings } from "./examination.js";

/** How an agent is examined. */
export interface ExamineOptions {
  readonly cwd: string;
  readonly log: Log;
  /** Open a session, which is closed and deleted again where the agent can. */
  readonly openSession: boolean;
  readonly stop: AbortSignal;
  readonly kill?: AbortSignal;
  /** How long the agent may take to exit when it is asked to. */
  readonly exitGraceMs?: number;
}

/** Slow agents take nine seconds to exit. */
const defaultExitGraceMs = 10_000;
/** Commands are told after the session was opened, by most agents within milliseconds. */
const commandsWaitMs = 1_500;

/**
 * Starts an agent, initializes it, looks at what a session offers, and asks it to exit. It is never prompted and never logged in.
 *
 * @returns what was found, and the error that ended it early, if one did. Never rejects.
 */
export async function examineAgent(
  agent: AgentCommand,
  host: Host,
  options: ExamineOptions,
): Promise<{ readonly examination: Examination; readonly error: unknown }> {
  const { cwd, log, stop, kill, exitGraceMs = defaultExitGraceMs } = options;
  const oddities = new Map<string, Oddity>();
  let started: StartedAgent | undefined;
  let session: SessionFindings | null = null;
  let exit: ExitFindings | null = null;
  let error: unknown;
  try {
    const connect = {
      supports: { booleanConfigOptions: true },
      onDiagnostic: (diagnostic: Diagnostic) => note(oddities, diagnostic),
    };
    started = await startAgent(agent, host, { cwd, log, stop, exitGraceMs, ...(kill && { kill }), connect });
    session = options.openSession ? await lookIntoSession(started, cwd, stop) : { state: "skipped" };
    exit = await askToExit(started, exitGraceMs);
  } catch (cause) {
    error = cause;
    await started?.close();
  }
  const connection = started?.connection;
  const examination: Examination = {
    command: [agent.command, ...agent.args],
    startupMs: started === undefined ? null : Math.round(started.startupMs),
    protocolVersion: connection?.protocolVersion ?? null,
    agent: connection?.info ?? null,
    capabilities: connection?.capabilities ?? null,
    authMethods: (connection?.authMethods ?? []).map(({ id, name, kind }) => ({ id, name, kind })),
    session,
    oddities: [...oddities.values()],
    exit,
    ...(error !== undefined && { error: errorText(error) }),
  };
  return { examination, error };
}

/** A rule of the client's dialects by its name, and what it says; anything else by the code of its diagnostic. */
function note(oddities: Map<string, Oddity>, { code, message, data }: Diagnostic): void {
  const name = code === "dialect" ? (data as { rule?: DialectName } | undefined)?.rule : undefined;
  const rule = name ?? code;
  const told = name === undefined ? message : dialectRules[name].description;
  const key = `${rule} ${told}`;
  oddities.set(key, { rule, message: told, count: (oddities.get(key)?.count ?? 0) + 1 });
}

async function lookIntoSession({ connection }: StartedAgent, cwd: string, stop: AbortSignal): Promise<SessionFindings> {
  let commands: readonly string[] | undefined;
  const told = new AbortController();
  try {
    const session = await connection.newSession(
      { cwd },
      {
        signal: stop,
        onUpdate(update) {
          if (update.sessionUpdate !== "available_commands_update") return;
          const { availableCommands } = update as { availableCommands: readonly { name: string }[] };
          commands = availableCommands.map(({ name }) => name);
          told.abort();
        },
      },
    );
    if (commands === undefined)
      await aborted(AbortSignal.any([told.signal, stop, AbortSignal.timeout(commandsWaitMs)]));
    const findings = { state: "opened", ...offersOf(session), commands: commands ?? [] } as const;
    await leave(connection, session);
    return findings;
  } catch (error) {
    stop.throwIfAborted();
    if (isAuthRequired(error)) return { state: "login_needed" };
    return { state: "failed", error: errorText(error) };
  }
}

/** Leaves nothing of the session behind, where the agent can. That it can't is for others to find out. */
async function leave(connection: StartedAgent["connection"], session: Session): Promise<void> {
  try {
    await session.close();
    const canDelete = connection.offers("agentCapabilities.sessionCapabilities.delete");
    if (canDelete) await connection.deleteSession(session.sessionId);
  } catch {
    // An agent may have nothing to close before the first prompt.
  }
}

function offersOf({ options }: Session) {
  return {
    options: options.snapshot.map(({ id, name, type, value, ...option }) => {
      const choices = "choices" in option ? option.choices.map((choice) => choice.value) : [true, false];
      return { id, name, type, value, choices };
    }),
  };
}

/** Ends the agent's input and watches how its process takes it. */
async function askToExit(started: StartedAgent, exitGraceMs: number): Promise<ExitFindings> {
  const asked = performance.now();
  await started.close();
  const { exitCode, signal } = await started.process.exited;
  const ms = Math.round(performance.now() - asked);
  return { byItself: signal === null && ms < exitGraceMs, ms, exitCode, signal };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
