import type { Engine, Gateway, GatewayEvent } from "@acp-kit/gateway";
import { CommandFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import type { AgentPool } from "./agent-pool.js";
import { defaultSessionFile, type EngineChoice } from "./engine-choice.js";
import type { ServeSettings } from "./serve-settings.js";

/** A gateway and the engine that it uses. */
export interface ServedSessions {
  readonly gateway: Gateway;
  /** The file of the sessions; `undefined` in memory. */
  readonly file: string | undefined;
  /** Lets running turns end for up to `graceMs`, then closes both. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens the engine and creates the gateway.
 *
 * @throws {CommandFailure} when the sessions can't be opened, with the reason and what to do.
 */
export async function serveSessions(
  settings: ServeSettings,
  pool: AgentPool,
  host: Host,
  log: Log,
): Promise<ServedSessions> {
  const { agent, engine: choice, agentPer, warm, policy, limits } = settings;
  const { createGateway } = await import("@acp-kit/gateway");
  const { engine, file } = await openEngine(choice, [agent.command, ...agent.args], host);
  const gateway = await createGateway({
    ...{ engine, agentPer, warm, policy, limits },
    start: () => pool.start(),
    onEvent: (event) => logEvent(event, log),
    onDiagnostic: ({ message }) => log.debug(message),
  });
  return {
    gateway,
    file,
    async close(graceMs) {
      await gateway.drain({ graceMs });
      await engine.close();
    },
  };
}

async function openEngine(
  choice: EngineChoice,
  command: readonly string[],
  host: Host,
): Promise<{ readonly engine: Engine; readonly file: string | undefined }> {
  if (choice.is !== "sqlite") {
    const { memoryEngine } = await import("@acp-kit/gateway");
    return { engine: memoryEngine(), file: undefined };
  }
  const path = choice.path ?? defaultSessionFile(command, host);
  try {
    const { sqliteEngine } = await import("@acp-kit/gateway/node");
    return { engine: sqliteEngine({ path }), file: path };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isBusy = (cause as { readonly code?: unknown }).code === "busy";
    const next = isBusy
      ? " Another acp-kit serve may run: give this one a file of its own with --engine sqlite:<file>."
      : "";
    throw new CommandFailure(ExitCode.error, `Can't open the sessions in ${path}: ${reason}.${next}`, { cause });
  }
}

/** Events have no content of messages, paths or tokens. */
function logEvent(event: GatewayEvent, log: Log): void {
  switch (event.type) {
    case "session_lost":
    case "session_fenced":
    case "journal_lost":
      log.warn(`session ${event.session.sessionId}: ${event.type}`);
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
