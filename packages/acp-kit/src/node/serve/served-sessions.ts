import type { Engine, Gateway, GatewayLogRecord } from "@acp-kit/gateway";
import type { ReplicaLinkServer } from "@acp-kit/gateway/node";
import type { GatewayMetrics } from "@acp-kit/gateway/node/metrics";
import { CommandFailure } from "../command-failure.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import type { AgentPool } from "./agent-pool.js";
import { defaultSessionFile, type EngineChoice } from "./engine-choice.js";
import { openEngineServer } from "./engine-server.js";
import type { ServeSettings } from "./serve-settings.js";

/** A gateway and its engine. */
export interface OpenSessions {
  readonly gateway: Gateway;
  /** The metrics of the gateway, if the settings enable them. */
  readonly metrics: GatewayMetrics | undefined;
  /** The place where sessions are stored: a file, a server, or `memory`. */
  readonly kept: string;
  /** Closes the gateway and the engine. */
  close(): Promise<void>;
}

/**
 * Opens the engine and creates the gateway.
 *
 * @throws {CommandFailure} when the engine can't be opened.
 */
export async function openSessions(
  settings: ServeSettings,
  pool: AgentPool,
  host: Host,
  log: Log,
): Promise<OpenSessions> {
  const { agent, folderOf, engine: choice, agentPer, warm, policy, limits, times } = settings;
  // Imported only here, because most commands need no gateway.
  const { createGateway, gatewayLog } = await import("@acp-kit/gateway");
  const { folderWithin } = await import("@acp-kit/gateway/node");
  const versions = settings.offersV2 ? [(await import("@acp-kit/v2/gateway")).v2] : [];
  const metrics = settings.metrics ? (await import("@acp-kit/gateway/node/metrics")).gatewayMetrics() : undefined;
  const logEvent = gatewayLog((record) => logRecord(record, log));
  const { engine, kept } = await openEngine(choice, [agent.command, ...agent.args], host, log);
  let link: ReplicaLinkServer | undefined;
  const closeParts = async (): Promise<void> => {
    await link?.close();
    await engine.close();
  };
  try {
    link = await openLink(settings.cluster);
    const gateway = await createGateway({
      engine,
      versions,
      ...(link && { link }),
      agentPer,
      warm,
      policy,
      limits,
      times,
      start: ({ principal }) => pool.start(folderOf?.(principal)),
      ...(folderOf && { folder: folderWithin(folderOf) }),
      onEvent: (event) => {
        metrics?.onEvent(event);
        if (event.type === "engine_failed") log.warn(`sessions can't be read or written: ${errorText(event.error)}`);
        else logEvent(event);
      },
      onDiagnostic: ({ message }) => log.debug(message),
    });
    metrics?.watch(gateway);
    return {
      gateway,
      metrics,
      kept,
      async close() {
        await gateway.close();
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/** Opens the link to other replicas. @throws {CommandFailure} when the address can't be used. */
async function openLink(cluster: ServeSettings["cluster"]): Promise<ReplicaLinkServer | undefined> {
  if (cluster === undefined) return undefined;
  const { replicaLink } = await import("@acp-kit/gateway/node");
  try {
    return await replicaLink(cluster);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(ExitCode.error, `Can't listen at ${cluster.listen} for other replicas: ${reason}`, {
      cause,
    });
  }
}

interface OpenEngine {
  readonly engine: Engine;
  readonly kept: string;
}

/** Maximum number of default session files for one agent command. Each running server uses its own file. */
const MAX_FILES = 20;

async function openEngine(choice: EngineChoice, command: readonly string[], host: Host, log: Log): Promise<OpenEngine> {
  if (choice.is === "redis" || choice.is === "postgres") {
    return { engine: await openEngineServer(choice, host), kept: choice.where };
  }
  if (choice.is !== "sqlite") {
    const { memoryEngine } = await import("@acp-kit/gateway");
    return { engine: memoryEngine(), kept: "memory" };
  }
  if (choice.path !== undefined) return openFile(choice.path);
  const path = defaultSessionFile(command, host);
  for (let number = 1; ; number++) {
    const kept = number === 1 ? path : path.replace(/\.db$/, `-${number}.db`);
    try {
      const opened = await openFile(kept);
      if (number > 1) {
        log.warn(
          `another server uses ${path}, so this server stores its sessions in ${kept}; choose a file with --engine sqlite:<file>`,
        );
      }
      return opened;
    } catch (error) {
      if (!isBusy(error) || number === MAX_FILES) throw error;
    }
  }
}

/** Opens a session file. @throws {CommandFailure} when the file can't be opened. */
async function openFile(path: string): Promise<OpenEngine> {
  const { sqliteEngine } = await import("@acp-kit/gateway/node");
  try {
    return { engine: sqliteEngine({ path }), kept: path };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(ExitCode.error, `Can't open the sessions: ${reason}`, { cause });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof CommandFailure && (error.cause as { readonly code?: unknown } | undefined)?.code === "busy";
}

/** The events that are logged at level `info`. Other events are logged at level `debug`. */
const notable: ReadonlySet<GatewayLogRecord["event"]> = new Set([
  "session_created",
  "session_opened",
  "session_slept",
  "session_deleted",
]);

/** Logs an event as one line: the session or the user, the event, and its details. */
function logRecord({ event, level, sessionId, tenant, user, ...details }: GatewayLogRecord, log: Log): void {
  const about = sessionId === undefined ? `user ${JSON.stringify(user ?? "")}` : `session ${sessionId}`;
  const what = event.replace(/^session_/, "").replaceAll("_", " ");
  const more = Object.entries(details).map(([name, value]) => ` ${name}=${value}`);
  const line = `${about}: ${what}${more.join("")}`;
  if (level !== "info") log.warn(line);
  else if (notable.has(event)) log.info(line);
  else log.debug(line);
}
