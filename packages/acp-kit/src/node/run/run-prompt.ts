import { type AgentConnection, isAuthRequired, type Session, type UpdateListener } from "@acp-kit/client";
import { subagents } from "@acp-kit/client/unstable";
import type { AcpProxy } from "@acp-kit/proxy";
import type { McpServer } from "@acp-kit/types";
import { workspaceTerminals } from "@acp-kit/workspace";
import type { AgentTarget } from "../agent-target.js";
import { cleanLine } from "../chat/text/clean.js";
import { errorText } from "../error-text.js";
import type { ExitCode } from "../exit-code.js";
import { exitCodeOf, exitCodeOfTurn } from "../exit-code-of.js";
import { hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import type { Log } from "../log.js";
import { processLedger } from "../process-ledger.js";
import type { ProtocolChoice } from "../protocol-version.js";
import { type StartedAgent, startAgent } from "../start-agent.js";
import { abortable } from "./abortable.js";
import { askOnTerminal } from "./ask-on-terminal.js";
import { applyChoice, type ChoiceDefaults, openSession } from "./open-session.js";
import { type PermissionPolicy, permissionsBy, type RunDecision } from "./permission-policy.js";
import { Progress } from "./progress.js";
import { runFiles } from "./run-files.js";
import { type RunFormat, runWriter } from "./run-format.js";
import { runReport } from "./run-report.js";
import { TurnRecord } from "./turn-record.js";

/** A prompt with the user's options. */
export interface RunRequest {
  readonly agent: AgentTarget;
  readonly protocol: ProtocolChoice;
  /** The ACP proxies in front of the agent; the first is next to the client. */
  readonly proxies: readonly AcpProxy[];
  readonly prompt: string;
  readonly cwd: string;
  /** Whether the agent can use the files of {@link cwd}, and terminals. */
  readonly localAccess: boolean;
  readonly permissions: PermissionPolicy;
  readonly format: RunFormat;
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly model: string | undefined;
  readonly defaults?: ChoiceDefaults | undefined;
  readonly mcpServers: readonly McpServer[];
  readonly timeoutMs: number | undefined;
  readonly showSecrets: boolean;
}

/** How long an agent may take to end a cancelled turn, in milliseconds, before its process is ended. */
const cancelTimeoutMs = 5_000;

/**
 * Starts the agent, sends the prompt and writes the output. Ends the agent with all its processes, even if the turn
 * failed.
 *
 * @returns the exit code. Never rejects: errors are in the log and in the report.
 */
export async function runPrompt(request: RunRequest, host: Host, log: Log): Promise<ExitCode> {
  const { cwd, localAccess, format, timeoutMs, sessionId, mode, model, defaults, mcpServers, showSecrets } = request;
  const startedAt = performance.now();
  host.redactor?.learn({ mcpServers });
  const record = new TurnRecord();
  const progress = new Progress(log, host.stderr.colours, cwd);
  const writer = runWriter(format, host.stdout, startedAt);
  const decisions: RunDecision[] = [];
  let requested = 0;
  let agent: StartedAgent | undefined;
  let session: Session | undefined;
  let stopReason: string | undefined;
  let failure: unknown;

  using interrupts = listenForInterrupts(host, { timeoutMs, onStop: ({ message }) => log.warn(message) });
  const { stop, leave } = interrupts;
  const ledger = processLedger(host);
  const files = runFiles(cwd, () => agent?.connection.info?.name);
  const terminals = workspaceTerminals({ roots: [cwd], ...(ledger && { ledger }) });

  const onUpdate: UpdateListener = (update, { replayed, turn, child }) => {
    if (replayed || turn?.isJoined) return undefined; // a turn of another client, after which the prompt is sent
    progress.show(update, child);
    const added = child === undefined ? record.add(update) : ""; // the report has nothing of child sessions
    if (added !== "") writer.text?.(added);
    return host.stdout.full; // a slow reader pauses the agent, so that no output accumulates in memory
  };
  const permissions = permissionsBy(request.permissions, {
    ask: askOnTerminal(host, cwd, () =>
      log.warn(
        "the agent requested permission, but there is no terminal to prompt the user: the tool call was rejected (see --permissions)",
      ),
    ),
    onRequested() {
      requested += 1;
      record.interrupt();
    },
    onDecided(decided) {
      decisions.push(decided);
      progress.permission(decided);
    },
  });

  try {
    agent = await startAgent(request.agent, host, {
      cwd,
      proxies: request.proxies,
      log,
      kill: leave,
      stop,
      protocol: request.protocol,
      connect: {
        ...(localAccess && { files, terminals }),
        permissions,
        supports: { booleanConfigOptions: true },
        unstable: [subagents],
        tapSecrets: showSecrets,
        ...(writer.tap && { tap: writer.tap }),
      },
    });
    const choice = { setup: { cwd, mcpServers }, sessionId, mode, model, defaults };
    session = await openSession(agent.connection, choice, { onUpdate, signal: stop });
    record.opened(session);
    await abortable(
      applyChoice(session, choice, (text) => log.warn(cleanLine(text))),
      stop,
    );
    stop.throwIfAborted();
    if (session.turn !== undefined) log.info("the session runs a turn of another client; the prompt is sent after it");
    const turn = session.prompt(request.prompt, { signal: stop, cancelTimeoutMs });
    const text = turn.text();
    text.catch(() => {}); // the result rejects, too
    ({ stopReason } = await turn.result);
    record.ended(await text);
  } catch (error) {
    failure = error;
  }
  const durationMs = performance.now() - startedAt;
  await agent?.close();
  await terminals.close();

  if (!stop.aborted && failure !== undefined) explain(failure, agent?.connection, log);
  if (!stop.aborted && stopReason !== undefined && stopReason !== "end_turn")
    log.warn(`the turn ended with the stop reason ${stopReason}`);
  const error = stop.aborted && stopReason === undefined ? stop.reason : failure;
  const connection = agent?.connection;
  const end = {
    record,
    requested,
    decisions,
    durationMs,
    connection,
    sessionId: session?.sessionId,
    stopReason,
    error,
  };
  writer.end?.(hideInValue(runReport(end), host));
  if (stop.aborted) return exitCodeOf(stop.reason);
  return stopReason === undefined ? exitCodeOf(failure) : exitCodeOfTurn(stopReason);
}

function explain(error: unknown, connection: AgentConnection | undefined, log: Log): void {
  log.error(errorText(error));
  if (!isAuthRequired(error)) return;
  const ways = (connection?.authMethods ?? []).map(({ name }) => name);
  log.error(
    `The agent requires a login${ways.length > 0 ? ` (${ways.join(", ")})` : ""}. Log in with the agent's own command, then try again.`,
  );
}
