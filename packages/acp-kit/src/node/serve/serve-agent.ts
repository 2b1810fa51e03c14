import { randomBytes } from "node:crypto";
import type { GatewayCaller } from "@acp-kit/gateway/http";
import { type Authenticate, relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, type ServeHttpOptions, serveHttp } from "@acp-kit/http/node";
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
import { openSessions } from "./served-sessions.js";

/** The first line on standard output with `--json`. */
export interface ServeAnnouncement {
  readonly url: string;
  readonly webSocketUrl: string;
  /** The token that was made for this run; `null` when none is needed, or when the user gave one. */
  readonly token: string | null;
}

/** A caller of the server. */
interface ServedCaller extends GatewayCaller {
  /** Whether it may read the metrics, if there are any. Default `false`. */
  readonly metrics?: boolean;
}

/** The only user of a server without a list of users: the same with and without a token. */
const owner: ServedCaller = { user: "owner", metrics: true };

/** Serves the agent until a signal comes; then running turns may end, and so do the connections and their agents. */
export async function serveAgent(settings: ServeSettings, host: Host, log: Log): Promise<ExitCode> {
  const { access, engine } = settings;
  const pool = new AgentPool(settings.agent, engine.is === "none" ? "connection" : "session", host, log);
  using interrupts = listenForInterrupts(host, {
    onStop: () => log.info("ending the connections and their agents; press Ctrl-C again to exit at once"),
  });
  const made = access.is === "one" && access.token === undefined ? newToken() : undefined;
  if (made !== undefined) host.redactor?.addSecret(made);
  await pool.reaped;
  const served = await serve(settings, made, pool, host, log);
  announce(settings, served, made, host, log);
  await aborted(interrupts.stop);
  onAbort(interrupts.leave, () => pool.kill());
  await served.drain(interrupts.leave);
  await pool.close();
  return interrupts.leave.aborted ? ExitCode.cancelled : ExitCode.ok;
}

/** A server, and what is behind it. */
interface Served {
  readonly server: HttpAgentServer;
  /** Where sessions are kept; `undefined` where they are not. */
  readonly kept: string | undefined;
  /** Lets running turns end, for as long as the settings say or until `leave` aborts, and ends everything. */
  drain(leave: AbortSignal): Promise<void>;
}

async function serve(
  settings: ServeSettings,
  made: string | undefined,
  pool: AgentPool,
  host: Host,
  log: Log,
): Promise<Served> {
  const options = serverOptions(settings, made, log);
  if (settings.engine.is === "none") {
    const relay = relayAgent(() => pool.start());
    const server = await listening(settings, () => serveHttp(relay, options));
    return { server, kept: undefined, drain: () => server.close() };
  }
  const { gateway, metrics, kept, close } = await openSessions(settings, pool, host, log);
  try {
    const { serveGateway } = await import("@acp-kit/gateway/node");
    const mayReadMetrics = ({ metrics }: ServedCaller): boolean => metrics === true;
    const served = { ...options, ...(metrics && { metrics, mayReadMetrics }) };
    const server = await listening(settings, () => serveGateway(gateway, served));
    const drain = async (leave: AbortSignal): Promise<void> => {
      await Promise.race([server.drain({ graceMs: settings.drainMs }), aborted(leave)]);
      await server.close();
      await close();
    };
    return { server, kept, drain };
  } catch (error) {
    await close();
    throw error;
  }
}

function serverOptions(
  { listen, access, allowedHosts, allowedOrigins, tls, http }: ServeSettings,
  made: string | undefined,
  log: Log,
): ServeHttpOptions<ServedCaller> {
  return {
    ...listen,
    ...(tls !== undefined && { tls }),
    authenticate: access.is === "everybody" ? () => owner : authentication(access, made),
    ...(allowedHosts.length > 0 && { allowedHosts: [...ownNames(listen.host), ...allowedHosts] }),
    allowedOrigins,
    limits: http,
    onDiagnostic: ({ message }) => log.warn(message),
    onError: (error) => log.warn(errorText(error)),
  };
}

async function listening<Server extends HttpAgentServer>(
  { listen }: ServeSettings,
  open: () => Promise<Server>,
): Promise<Server> {
  try {
    return await open();
  } catch (cause) {
    const { host, port } = listen;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(ExitCode.error, `Can't listen at ${host}:${port}: ${reason}`, { cause });
  }
}

function authentication(
  access: Exclude<ServeSettings["access"], { is: "everybody" }>,
  made: string | undefined,
): Authenticate<ServedCaller> {
  const tokens = new Map<string, ServedCaller>(
    access.is === "one"
      ? [[access.token ?? made ?? "", owner]]
      : access.users.map(({ token, ...caller }) => [token, caller]),
  );
  return tokenAuthentication(tokens);
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
  { server: { url, webSocketUrl }, kept }: Served,
  made: string | undefined,
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
      log.warn(`other machines can reach ${url}, unencrypted: use --tls-cert, or put a proxy with TLS in front of it`);
    if ((host === "0.0.0.0" || host === "::") && allowedHosts.length === 0) {
      log.warn(
        "the server refuses requests that don't use the host name localhost: allow other host names with --allow-host",
      );
    }
  }
  const what = kept === undefined ? "connection" : "session";
  log.info(`each ${what} starts the command ${agent.command}; Ctrl-C ends the server`);
  if (kept !== undefined) log.info(`sessions are kept in ${kept}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}
