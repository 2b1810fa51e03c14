import { randomBytes } from "node:crypto";
import { relayAgent, tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, serveHttp } from "@acp-kit/http/node";
import { onAbort } from "@acp-kit/protocol";
import type { AgentCommand } from "../agent-argument.js";
import { CommandFailure } from "../command-failure.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import type { Log } from "../log.js";
import { isLoopbackHost } from "../loopback.js";
import { AgentPool } from "./agent-pool.js";
import type { ListenAddress } from "./listen-address.js";

/** What is served, where, and to whom. */
export interface ServeRequest {
  readonly agent: AgentCommand;
  readonly cwd: string;
  readonly listen: ListenAddress;
  /** Who is let in: everybody who reaches it, or who has the token. */
  readonly auth: "none" | "token";
  /** A token of the user's; without it one is made, and printed. */
  readonly token: string | undefined;
  /** Names that requests may call this server by, beside its address. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly json: boolean;
}

/** The first line on standard output with `--json`. */
export interface ServeAnnouncement {
  readonly url: string;
  readonly webSocketUrl: string;
  /** The token that was made for this run; `null` when none is needed, or when the user gave one. */
  readonly token: string | null;
}

/** Serves the agent until a signal comes, then ends the connections and their agents. */
export async function serveAgent(request: ServeRequest, host: Host, log: Log): Promise<ExitCode> {
  const pool = new AgentPool(request.agent, request.cwd, host, log);
  using interrupts = listenForInterrupts(host, {
    onStop: () => log.info("ending the connections and their agents; press Ctrl-C again to exit at once"),
  });
  const token = request.auth === "none" ? undefined : (request.token ?? newToken());
  if (token !== undefined) host.redactor?.addSecret(token);
  const server = await listen(request, token, pool, log);
  announce(request, server, token, host, log);
  await aborted(interrupts.stop);
  onAbort(interrupts.leave, () => pool.kill());
  await server.close();
  await pool.close();
  return interrupts.leave.aborted ? ExitCode.cancelled : ExitCode.ok;
}

async function listen(
  { listen, allowedHosts, allowedOrigins }: ServeRequest,
  token: string | undefined,
  pool: AgentPool,
  log: Log,
): Promise<HttpAgentServer> {
  try {
    return await serveHttp(
      relayAgent(() => pool.start()),
      {
        ...listen,
        ...(token !== undefined && { authenticate: tokenAuthentication(token) }),
        ...(allowedHosts.length > 0 && { allowedHosts: [...ownNames(listen.host), ...allowedHosts] }),
        allowedOrigins,
        onDiagnostic: ({ message }) => log.warn(message),
        onError: (error) => log.warn(errorText(error)),
      },
    );
  } catch (cause) {
    const { host, port } = listen;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(ExitCode.error, `Can't listen at ${host}:${port}: ${reason}`, { cause });
  }
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
  request: ServeRequest,
  { url, webSocketUrl }: HttpAgentServer,
  token: string | undefined,
  { stdout }: Host,
  log: Log,
): void {
  const made = request.token === undefined && token !== undefined ? token : null;
  if (request.json) {
    stdout.line(JSON.stringify({ url, webSocketUrl, token: made } satisfies ServeAnnouncement));
  } else {
    stdout.line(`HTTP       ${url}`);
    stdout.line(`WebSocket  ${webSocketUrl}`);
    if (made !== null) stdout.line(`token      ${made}`);
  }
  const { host } = request.listen;
  if (!isLoopbackHost(host)) {
    log.warn(`other machines can reach ${url}, unencrypted: put a proxy with TLS in front of it`);
    if ((host === "0.0.0.0" || host === "::") && request.allowedHosts.length === 0) {
      log.warn(
        "the server refuses requests that don't use the host name localhost: allow other host names with --allow-host",
      );
    }
  }
  log.info(`each connection starts the command ${request.agent.command}; Ctrl-C ends the server`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, () => resolve()));
}
