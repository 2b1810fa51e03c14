import { randomBytes } from "node:crypto";
import type { Principal as GatewayPrincipal } from "@acp-kit/gateway";
import { type AgentChoice, type Authenticate, relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { onAbort } from "@acp-kit/protocol";
import { CommandFailure } from "../command-failure.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import type { Log } from "../log.js";
import { isLoopbackHost } from "../loopback.js";
import { AgentPool } from "./agent-pool.js";
import type { ServeSettings } from "./serve-settings.js";
import { type ServedSessions, serveSessions } from "./served-sessions.js";

/** The first line on standard output with `--json`. */
export interface ServeAnnouncement {
  readonly url: string;
  readonly webSocketUrl: string;
  /** The token that was made for this run; `null` when none is needed, or when the user gave one. */
  readonly token: string | null;
}

/** The only user of a server without a list of users: the same with and without a token. */
const owner: GatewayPrincipal = { tenant: "", user: "owner" };

/** Serves the agent until a signal comes; then running turns may end, and so do the connections and their agents. */
export async function serveAgent(settings: ServeSettings, host: Host, log: Log): Promise<ExitCode> {
  const { access, drainMs } = settings;
  const pool = new AgentPool(settings.agent, settings.engine.is === "none" ? "connection" : "session", host, log);
  using interrupts = listenForInterrupts(host, {
    onStop: () => log.info("ending the connections and their agents; once more leaves at once"),
  });
  const made = access.is === "one" && access.token === undefined ? newToken() : undefined;
  if (made !== undefined) host.redactor?.addSecret(made);
  await pool.reaped;
  const sessions = settings.engine.is === "none" ? undefined : await serveSessions(settings, pool, host, log);
  try {
    const server = await listen(settings, made, pool, sessions, log);
    announce(settings, server, made, sessions, host, log);
    await aborted(interrupts.stop);
    interrupts.leave.addEventListener("abort", () => pool.kill(), { once: true });
    await Promise.race([sessions?.close(drainMs), aborted(interrupts.leave)]);
    await server.close();
  } finally {
    await sessions?.close(0);
    await pool.close();
  }
  return interrupts.leave.aborted ? ExitCode.cancelled : ExitCode.ok;
}

async function listen(
  { listen, access, allowedHosts, allowedOrigins, tls, http }: ServeSettings,
  made: string | undefined,
  pool: AgentPool,
  sessions: ServedSessions | undefined,
  log: Log,
): Promise<HttpAgentServer> {
  try {
    return await serveHttp<GatewayPrincipal>(agentOf(pool, sessions), {
      ...listen,
      ...(tls !== undefined && { tls }),
      ...(access.is !== "everybody" && { authenticate: authentication(access, made) }),
      ...(allowedHosts.length > 0 && { allowedHosts: [...ownNames(listen.host), ...allowedHosts] }),
      allowedOrigins,
      limits: http,
      onDiagnostic: ({ message }) => log.warn(message),
      onError: (error) => log.warn(errorText(error)),
    });
  } catch (cause) {
    const { host, port } = listen;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(ExitCode.error, `Can't listen at ${host}:${port}: ${reason}`, { cause });
  }
}

/** What serves a connection: the gateway, on behalf of its principal; or an agent of its own. */
function agentOf(pool: AgentPool, sessions: ServedSessions | undefined): AgentChoice<GatewayPrincipal> {
  if (sessions === undefined) return relayAgent(() => pool.start());
  const { gateway } = sessions;
  return ({ principal }) => ({
    connect: (transport) => gateway.accept(transport, principal.user === "" ? owner : principal),
  });
}

function authentication(
  access: Exclude<ServeSettings["access"], { is: "everybody" }>,
  made: string | undefined,
): Authenticate<GatewayPrincipal> {
  const tokens =
    access.is === "one"
      ? new Map([[access.token ?? made ?? "", owner]])
      : new Map(access.users.map(({ token, ...principal }) => [token, principal]));
  return tokenAuthentication(tokens) as Authenticate<GatewayPrincipal>;
}

/** Names that a server is always called by. */
function ownNames(host: string): string[] {
  const own = host.includes(":") ? `[${host}]` : host;
  return ["localhost", "127.0.0.1", "[::1]", own];
}

/** 256 random bits. */
function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The only place that prints a token, and only one that was made for this run. */
function announce(
  { json, listen, agent, tls, allowedHosts }: ServeSettings,
  { url, webSocketUrl }: HttpAgentServer,
  made: string | undefined,
  sessions: ServedSessions | undefined,
  { stdout }: Host,
  log: Log,
): void {
  if (json) {
    stdout.line(JSON.stringify({ url, webSocketUrl, token: made ?? null } satisfies ServeAnnouncement));
  } else {
    stdout.line(`HTTP       ${url}`);
    stdout.line(`WebSocket  ${webSocketUrl}`);
    if (made !== undefined) stdout.line(`token      ${made}`);
  }
  const { host } = listen;
  if (!isLoopbackHost(host)) {
    if (tls === undefined)
      log.warn(`other machines reach ${url}, unencrypted: use --tls-cert, or put a proxy with TLS before it`);
    if ((host === "0.0.0.0" || host === "::") && allowedHosts.length === 0) {
      log.warn("requests are refused unless they call it localhost: name its other names with --allow-host");
    }
  }
  if (sessions === undefined) log.info(`each connection starts ${agent.command}; Ctrl-C ends the server`);
  else
    log.info(
      `each session starts ${agent.command}; sessions are kept in ${sessions.file ?? "memory"}; Ctrl-C ends the server`,
    );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}
