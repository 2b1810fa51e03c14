import type { Engine, Gateway, GatewayEvent } from "@acp-kit/gateway";
import type { ReplicaLinkServer } from "@acp-kit/gateway/node";
import { CommandFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import type { AgentPool } from "./agent-pool.js";
import { defaultSessionFile, type EngineChoice } from "./engine-choice.js";
import { openEngineServer } from "./engine-server.js";
import type { ServeSettings } from "./serve-settings.js";

/** A gateway and the engine that it uses. */
export interface OpenSessions {
  readonly gateway: Gateway;
  /** Where sessions are kept: a file, a server, or `memory`. */
  readonly kept: string;
  /** Closes both. */
  close(): Promise<void>;
}

/**
 * Opens the storage of the sessions and creates the gateway that serves them.
 *
 * @throws {CommandFailure} when the sessions can't be opened, with the reason and what to do.
 */
export async function openSessions(
  settings: ServeSettings,
  pool: AgentPool,
  host: Host,
  log: Log,
): Promise<OpenSessions> {
  const { agent, engine: choice, agentPer, warm, policy, limits, times } = settings;
  // Loaded here: most commands need no gateway.
  const { createGateway } = await import("@acp-kit/gateway");
  const { engine, kept } = await openEngine(choice, [agent.command, ...agent.args], host, log);
  const link = await openLink(settings.cluster).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  const gateway = await createGateway({
    engine,
    ...(link && { link }),
    agentPer,
    warm,
    policy,
    limits,
    times,
    start: () => pool.start(),
    onEvent: (event) => logEvent(event, log),
    onDiagnostic: ({ message }) => log.debug(message),
  });
  return {
    gateway,
    kept,
    async close() {
      await gateway.close();
      await link?.close();
      await engine.close();
    },
  };
}

/** @throws {CommandFailure} when it can't listen there. */
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

/** Servers of one agent that one user runs at once, without naming files. */
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
          `another server uses ${path}: the sessions of this one are in ${kept}; --engine sqlite:<file> names a file`,
        );
      }
      return opened;
    } catch (error) {
      if (!isBusy(error) || number === MAX_FILES) throw error;
    }
  }
}

/** @throws {CommandFailure} with the reason. */
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

/** Events have no content of messages, paths or tokens. */
function logEvent(event: GatewayEvent, log: Log): void {
  switch (event.type) {
    case "session_lost":
    case "session_fenced":
    case "journal_lost":
      log.warn(`session ${event.session.sessionId}: ${event.type}`);
      break;
    case "journal_repaired":
      log.warn(
        `session ${event.session.sessionId}: the engine lost ${event.entries} entries; they were appended again`,
      );
      break;
    case "engine_failed":
      log.warn(
        `sessions can't be read or written: ${event.error instanceof Error ? event.error.message : event.error}`,
      );
      break;
    case "limit_reached":
      log.warn(`user ${JSON.stringify(event.principal.user)}: the limit ${event.limit} is reached`);
      break;
    case "session_created":
    case "session_opened":
    case "session_slept":
    case "session_deleted":
    case "session_taken_over":
      log.info(`session ${event.session.sessionId}: ${event.type.slice("session_".length).replace("_", " ")}`);
      break;
    default:
      log.debug(event.type);
  }
}
