import { type Diagnostic, dialectRules, isAuthRequired, isDecodeError, type Session } from "@acp-kit/client";
import { deferred } from "@acp-kit/protocol/internal";
import type { AgentProcess } from "@acp-kit/stdio/node";
import { type AgentTarget, isRemote, shownUrl } from "../agent-target.js";
import { errorText } from "../error-text.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import type { ProtocolChoice } from "../protocol-version.js";
import { abortable } from "../run/abortable.js";
import { type StartedAgent, startAgent } from "../start-agent.js";
import type { Examination, ExitFindings, Oddity, SessionFindings } from "./examination.js";
import { McpProbe } from "./mcp-probe.js";

/** Options of {@link examineAgent}. */
export interface ExamineOptions {
  readonly cwd: string;
  readonly log: Log;
  /** The version of the protocol. */
  readonly protocol: ProtocolChoice;
  /** Whether to open a session, which is closed and deleted again if the agent supports it. */
  readonly openSession: boolean;
  readonly stop: AbortSignal;
  readonly kill?: AbortSignal;
  /** How long the agent may take to exit after its input ends, in milliseconds. */
  readonly exitGraceMs?: number;
  /** How long the agent may take to close and delete the session, in milliseconds, before the report. */
  readonly leaveGraceMs?: number;
  /** Called with the name of a step, such as `the response to initialize`, that takes longer than 3 seconds. */
  readonly onWait?: (step: string) => void;
}

/** The default of `exitGraceMs`. Slow agents need nine seconds to exit. */
const defaultExitGraceMs = 10_000;
/** The default of `leaveGraceMs`. */
const defaultLeaveGraceMs = 5_000;
/** How long a step may take before `onWait` is called, in milliseconds. */
const waitNoticeMs = 3_000;
/**
 * How long to wait for the list of commands and the use of the MCP server, in milliseconds. Most agents send commands
 * directly after opening.
 */
const commandsWaitMs = 1_500;
/** Maximum number of different messages that are listed for one rule. A message can contain text of the agent. */
const MAX_MESSAGES = 5;
/** The message that stands for all messages of a rule beyond {@link MAX_MESSAGES}. */
const OTHER_MESSAGES = "Other messages of this kind.";

/**
 * Starts an agent, initializes it, inspects a new session, and ends the agent with every process that it leaves
 * running. It sends no prompt and starts no login.
 *
 * @returns the findings, and the error that ended the examination early, if any. Never rejects.
 */
export async function examineAgent(
  agent: AgentTarget,
  host: Host,
  options: ExamineOptions,
): Promise<{ readonly examination: Examination; readonly error: unknown }> {
  const { cwd, log, stop, kill, protocol, exitGraceMs = defaultExitGraceMs } = options;
  const oddities = new Map<string, Oddity>();
  const probe = new McpProbe();
  let started: StartedAgent | undefined;
  let session: SessionFindings | null = null;
  let exit: ExitFindings | null = null;
  let error: unknown;
  try {
    const connect = {
      supports: { booleanConfigOptions: true },
      ...(options.openSession && { mcp: probe.served }),
      onDiagnostic: (diagnostic: Diagnostic) => {
        if (!probe.noted(diagnostic)) note(oddities, diagnostic);
      },
    };
    const limits = { exitGraceMs, detachedProcesses: "end" } as const;
    const starting = startAgent(agent, host, { cwd, log, stop, protocol, ...limits, ...(kill && { kill }), connect });
    started = await withNotice(starting, "the response to initialize", options);
    session = options.openSession ? await inspectSession(started, probe, options) : { state: "skipped" };
    stop.throwIfAborted();
    const { process, connection } = started;
    if (connection.state === "closed") throw await connection.closed;
    if (process === undefined) await started.close();
    else exit = await withNotice(endAgent(started, process, exitGraceMs), "the exit of the agent", options);
  } catch (cause) {
    error = cause;
    await started?.close();
  }
  const connection = started?.connection;
  const examination: Examination = {
    command: isRemote(agent) ? [] : [agent.command, ...agent.args],
    ...(isRemote(agent) && { url: shownUrl(agent.url) }),
    startupMs: started === undefined ? null : Math.round(started.startupMs),
    protocolVersion: connection?.protocolVersion ?? null,
    agent: connection?.info ?? null,
    capabilities: connection?.capabilities ?? null,
    authMethods: (connection?.authMethods ?? []).map(({ id, name, kind }) => ({ id, name, kind })),
    session,
    oddities: [...oddities.values()],
    exit,
    ...(error !== undefined && { error: started === undefined ? failureText("initialize", error) : errorText(error) }),
  };
  return { examination, error };
}

/**
 * Counts a diagnostic. Its name is that of its compatibility rule; without a rule, it is the code of the diagnostic.
 * Different messages of one rule are listed up to a maximum, because an agent may cause another message with each line
 * of its output.
 */
function note(oddities: Map<string, Oddity>, { code, message, data }: Diagnostic): void {
  const name = code === "dialect" ? (data as { rule?: keyof typeof dialectRules } | undefined)?.rule : undefined;
  const rule = name ?? code;
  const text = name === undefined ? message : dialectRules[name].description;
  const listed = [...oddities.values()].filter((oddity) => oddity.rule === rule);
  const isListed = listed.some((oddity) => oddity.message === text);
  const shown = isListed || listed.length < MAX_MESSAGES ? text : OTHER_MESSAGES;
  const key = `${rule} ${shown}`;
  oddities.set(key, { rule, message: shown, count: (oddities.get(key)?.count ?? 0) + 1 });
}

/** Waits for a step. Calls `onWait` once if the step takes long. */
async function withNotice<T>(step: Promise<T>, name: string, { onWait }: ExamineOptions): Promise<T> {
  const timer = setTimeout(() => onWait?.(name), waitNoticeMs);
  return await step.finally(() => clearTimeout(timer));
}

async function inspectSession(
  { connection }: StartedAgent,
  probe: McpProbe,
  options: ExamineOptions,
): Promise<SessionFindings> {
  const { cwd, stop, leaveGraceMs = defaultLeaveGraceMs } = options;
  let commands: readonly string[] | undefined;
  const received = deferred();
  try {
    const opening = connection.newSession(
      { cwd },
      {
        signal: stop,
        onUpdate(update) {
          if (update.sessionUpdate !== "available_commands_update") return;
          const { availableCommands } = update as { availableCommands: readonly { name: string }[] };
          commands = availableCommands.map(({ name }) => name);
          received.resolve();
        },
      },
    );
    const session = await withNotice(opening, "the response to session/new", options);
    const late = deferred();
    const timer = setTimeout(late.resolve, commandsWaitMs);
    await abortable(Promise.race([late.promise, Promise.all([received.promise, probe.listed])]), stop);
    clearTimeout(timer);
    const mcp = probe.findings(connection.capabilities ?? {});
    const findings = { state: "opened", ...offersOf(session), commands: commands ?? [], mcp } as const;
    await abortable(leave(connection, session), stop, AbortSignal.timeout(leaveGraceMs));
    return findings;
  } catch (error) {
    stop.throwIfAborted();
    if (isAuthRequired(error)) return { state: "login_needed" };
    return { state: "failed", error: failureText("session/new", error) };
  }
}

/** Returns an error's text with the method that failed: that of a decode error has only the member's path. */
function failureText(method: string, error: unknown): string {
  const text = errorText(error);
  return isDecodeError(error) ? `the response to ${method} does not match the schema: ${text}` : text;
}

/**
 * Closes and deletes the session, if the agent supports that. Ignores errors, because this is not a test of these
 * methods: an agent may have nothing to close before the first prompt.
 */
async function leave(connection: StartedAgent["connection"], session: Session): Promise<void> {
  await session.close().catch(() => {});
  if (!connection.offers("agentCapabilities.sessionCapabilities.delete")) return;
  await connection.deleteSession(session.sessionId).catch(() => {});
}

function offersOf({ options }: Session) {
  return {
    options: options.snapshot.map(({ id, name, type, value, ...option }) => {
      const choices = "choices" in option ? option.choices.map((choice) => choice.value) : [true, false];
      return { id, name, type, value, choices };
    }),
  };
}

/**
 * Ends the agent's input and observes how its process exits.
 *
 * @throws {ProcessError} when the process had already ended, or closed its output.
 */
async function endAgent(started: StartedAgent, process: AgentProcess, exitGraceMs: number): Promise<ExitFindings> {
  const start = performance.now();
  let end: number | undefined;
  void process.ended.then(() => {
    end = performance.now(); // `exited` resolves only after the processes that the agent leaves running have ended
  });
  await started.close();
  const { exitCode, signal, error, detachedProcesses } = await process.exited;
  if (error !== undefined) throw error;
  const ms = Math.round((end ?? performance.now()) - start);
  const left = detachedProcesses.map(({ pid, command, ended }) => ({ pid, command, ended }));
  return { byItself: signal === null && ms < exitGraceMs, ms, exitCode, signal, detachedProcesses: left };
}
