import { randomBytes } from "node:crypto";
import type { GatewayCaller } from "@acp-kit/gateway/http";
import { type Authenticate, Refusal, relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, type ServeHttpOptions, serveHttp } from "@acp-kit/http/node";
import { onAbort } from "@acp-kit/protocol/internal";
import type { AcpProxy } from "@acp-kit/proxy";
import { CommandFailure } from "../command-failure.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import type { Log } from "../log.js";
import { isLoopbackHost } from "../loopback.js";
import { AgentPool } from "./agent-pool.js";
import { missingAgentText } from "./missing-agent.js";
import type { ServeSettings } from "./serve-settings.js";
import { openSessions } from "./served-sessions.js";
import { settingsLines } from "./settings-lines.js";

/** The first line on standard output with `--json`. */
export interface ServeAnnouncement {
  readonly url: string;
  readonly webSocketUrl: string;
  /** The token that the server generated; `null` if the server needs none or the user gave one. */
  readonly token: string | null;
}

interface ServedCaller extends GatewayCaller {
  /** Whether the caller may read `/metrics`. Default: `false`. */
  readonly metrics?: boolean;
}

/** The user of a server without a list of users. All callers of this server are this user. */
const owner: ServedCaller = { user: "owner", metrics: true };

/**
 * Serves an agent until this process receives a signal. Running turns may then continue for the drain time (`--drain`);
 * after it, the function ends the connections and their agents.
 */
export async function serveAgent(
  settings: ServeSettings,
  proxies: readonly AcpProxy[],
  host: Host,
  log: Log,
): Promise<ExitCode> {
  const { access, engine } = settings;
  const pool = new AgentPool(
    { ...settings.agent, proxies },
    engine.is === "none" ? "connection" : "session",
    host,
    log,
  );
  using interrupts = listenForInterrupts(host, {
    onStop: () => log.info("ending the connections and their agents; press Ctrl-C again to exit immediately"),
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

/** The default of the limit `maxAgents` without an engine: the same as that of a gateway. */
const MAX_AGENTS = 32;

interface Served {
  readonly server: HttpAgentServer;
  /** The place where sessions are stored; `undefined` without an engine. */
  readonly kept: string | undefined;
  /** Waits for running turns, at most the drain time or until `leave` aborts, and closes server and engine. */
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
    const { maxAgents = MAX_AGENTS } = settings.limits;
    const { bridgeVersions } = await import("@acp-kit/v2/bridge");
    const report = ({ message }: { readonly message: string }): void => log.debug(message);
    const relay = relayAgent(() => {
      if (pool.size < maxAgents)
        return settings.offersV2 ? bridgeVersions(pool.start(), { onDiagnostic: report }) : pool.start();
      const message = `At most ${maxAgents} agents may run at once (maxAgents): end a connection first.`;
      throw new Refusal(429, message, { limit: "maxAgents", headers: { "retry-after": "5" } });
    });
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
    throw new CommandFailure(ExitCode.error, `Can't listen at ${bracketed(host)}:${port}: ${reason}`, { cause });
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

/** Returns the host names that the header `Host` of a request may always contain. `--allow-host` adds others. */
function ownNames(host: string): string[] {
  return ["localhost", "127.0.0.1", "[::1]", bracketed(host)];
}

/** Returns a host as a URL contains it: an IPv6 address in brackets. */
function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Prints the URLs and settings of the server, and a token that it generated. Nothing else prints a token. */
function announce(
  settings: ServeSettings,
  { server: { url, webSocketUrl }, kept }: Served,
  made: string | undefined,
  { stdout, env }: Host,
  log: Log,
): void {
  const { json, listen, agent, tls, allowedHosts } = settings;
  if (json) {
    stdout.line(JSON.stringify({ url, webSocketUrl, token: made ?? null } satisfies ServeAnnouncement));
  } else {
    stdout.line(`HTTP       ${url}`);
    stdout.line(`WebSocket  ${webSocketUrl}`);
    if (made !== undefined) stdout.line(`token      ${made}`);
    for (const line of settingsLines(settings, kept)) stdout.line(line);
  }
  const { host } = listen;
  if (!isLoopbackHost(host)) {
    if (tls === undefined)
      log.warn(
        `other machines can reach ${url} without encryption: use --tls-cert, or put a proxy with TLS in front of the server`,
      );
    if ((host === "0.0.0.0" || host === "::") && allowedHosts.length === 0) {
      log.warn(
        "the server refuses requests with a host name other than localhost: allow other names with --allow-host",
      );
    }
  }
  const missing = missingAgentText(agent, env);
  if (missing !== undefined) log.warn(missing);
  const what = kept === undefined ? "connection" : "session";
  log.info(`each ${what} starts the command ${agent.command}; Ctrl-C ends the server`);
  if (json && kept !== undefined) log.info(`sessions are stored in ${kept}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}
