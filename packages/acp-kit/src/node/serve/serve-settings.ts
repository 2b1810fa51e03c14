import { createSecureContext } from "node:tls";
import type { GatewayLimits, GatewayPolicy, GatewayTimes } from "@acp-kit/gateway";
import type { ServerLimits } from "@acp-kit/http";
import type { AgentCommand } from "../agent-target.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { isLoopbackHost } from "../loopback.js";
import { readToken } from "../remote-options.js";
import { isDirectory } from "../shared-options.js";
import { readText } from "../user-file.js";
import { readHost, readOrigin } from "./allowed-names.js";
import { type ClusterOptions, type ClusterSettings, clusterSettings } from "./cluster-settings.js";
import type { ConfiguredUser, ServeConfig } from "./config/serve-config.js";
import { type EngineChoice, readEngine } from "./engine-choice.js";
import { type ListenAddress, readListenAddress } from "./listen-address.js";

/** A value of `--delegate`: agents use the client's files or terminals instead of those of this machine. */
export type DelegatedAccess = "files" | "terminals";

/** The options of the command line; a missing option is `undefined`. */
export interface ServeOptions extends ClusterOptions {
  readonly listen?: ListenAddress;
  readonly auth?: "none" | "token";
  readonly tokenFile?: string;
  readonly engine?: EngineChoice;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly delegate?: readonly DelegatedAccess[];
  readonly protocol?: "1" | "auto";
  readonly drain?: number;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly cwd?: string;
  readonly metrics?: boolean;
  readonly json?: boolean;
}

/** The command and the settings with which a server starts its agents. */
export interface ServedCommand extends AgentCommand {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment variables that agents inherit from this process; `undefined` for all. */
  readonly inheritEnv: readonly string[] | undefined;
}

/** The names that identify a user. */
export interface UserName {
  readonly tenant: string;
  readonly user: string;
}

/** A user with a token. */
export interface ServedUser {
  readonly token: string;
  readonly tenant: string;
  readonly user: string;
  readonly access: "full" | "observe";
  readonly metrics: boolean;
  /** The folder of the user's sessions; `undefined` for that of all users. */
  readonly folder: string | undefined;
}

/** The callers that may connect to a server. */
export type ServeAccess =
  /** Every client that can reach the server. */
  | { readonly is: "everybody" }
  /** One user. If no token is given, the server generates and prints a token. */
  | { readonly is: "one"; readonly token: string | undefined }
  | { readonly is: "several"; readonly users: readonly ServedUser[] };

/** The settings of a server. Options override the configuration file, which overrides the defaults. */
export interface ServeSettings {
  readonly agent: ServedCommand;
  /** Returns the folder in which a user's sessions and agents work; `undefined` if clients provide the files. */
  readonly folderOf: ((user: UserName) => string) | undefined;
  readonly listen: ListenAddress;
  readonly access: ServeAccess;
  readonly engine: EngineChoice;
  /** The settings of the direct connection between replicas; `undefined` if messages go through the engine. */
  readonly cluster: ClusterSettings | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Host names that the server accepts in the `Host` header of a request, in addition to its own address. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly agentPer: "session" | "principal";
  readonly warm: number;
  readonly policy: Omit<GatewayPolicy, "unattended">;
  readonly limits: Partial<GatewayLimits>;
  readonly times: Partial<GatewayTimes>;
  readonly http: ServerLimits;
  /** Whether the agent and clients may speak version 2 of the protocol, beside version 1. */
  readonly offersV2: boolean;
  /** Whether `/metrics` is served. */
  readonly metrics: boolean;
  /** How long running turns may continue after a signal, in milliseconds. */
  readonly drainMs: number;
  readonly json: boolean;
}

/** Default of `--drain`: how long running turns may continue after a signal, in milliseconds. */
export const defaultDrainMs = 10_000;

/**
 * Merges the options and the configuration.
 *
 * @throws {CommandFailure} when options or settings contradict each other, or a file is invalid.
 */
export function serveSettings(
  agent: AgentCommand,
  options: ServeOptions,
  config: ServeConfig,
  host: Host,
): ServeSettings {
  const { agent: configured } = config;
  const listen = options.listen ?? listenOf(config, options) ?? { host: "127.0.0.1", port: 0 };
  const allowedHosts =
    options.allowHost ??
    config.allowHosts?.map((text, index) => readHost(text, `${options.config}: allowHosts[${index}]`)) ??
    [];
  const access = accessOf(options, config, host);
  const other = [listen.host, ...allowedHosts].find((name) => !isLoopbackHost(nameOf(name)));
  if (access.is === "everybody" && other !== undefined) {
    throw usageFailure(
      `--auth none is allowed only on this machine, but other machines can reach ${other}. Leave this option out, so that clients need a token.`,
    );
  }
  const engine =
    options.engine ??
    (config.engine === undefined
      ? ({ is: "sqlite", path: undefined } as const)
      : readEngine(config.engine, `${options.config}: engine`));
  if (engine.is === "none" && access.is === "several") {
    throw usageFailure(
      `${options.config}: engine must not be none if there are users, because their sessions would not be separate.`,
    );
  }
  const metrics = options.metrics ?? config.metrics ?? false;
  if (metrics) checkMetrics(access, engine, options);
  const delegate = options.delegate && Object.fromEntries(options.delegate.map((what) => [what, true]));
  const cwd = options.cwd ?? configuredCwd(config, options) ?? host.cwd;
  const policy = { ...config.policy, ...(delegate && { delegate }) };
  return {
    agent: {
      ...agent,
      cwd,
      env: agent.env ?? {}, // an agent of the command line gets no variables of the configured agent, such as its key
      inheritEnv: configured?.inheritEnv,
    },
    folderOf: policy.delegate?.files === true ? undefined : foldersOf(access, cwd),
    listen,
    access,
    engine,
    cluster: clusterSettings(options, config, engine, host),
    tls: tlsOf(options, config),
    allowedHosts,
    allowedOrigins:
      options.allowOrigin ??
      config.allowOrigins?.map((text, index) => readOrigin(text, `${options.config}: allowOrigins[${index}]`)) ??
      [],
    agentPer: config.agentPer ?? "session",
    warm: config.warm ?? 0,
    policy,
    limits: config.limits ?? {},
    times: config.times ?? {},
    http: config.http ?? {},
    offersV2: (options.protocol ?? config.protocol) === "auto",
    metrics,
    drainMs: options.drain ?? config.drainGraceMs ?? defaultDrainMs,
    json: options.json ?? false,
  };
}

/** Returns the working directory in the configuration file. @throws {CommandFailure} when it does not exist. */
function configuredCwd({ agent }: ServeConfig, { config }: ServeOptions): string | undefined {
  if (agent?.cwd === undefined || isDirectory(agent.cwd)) return agent?.cwd;
  throw usageFailure(`${config}: agent.cwd ${agent.cwd} must be a folder that exists.`);
}

/** Checks that the server has metrics, and a user who may read them. @throws {CommandFailure} if it does not. */
function checkMetrics(access: ServeAccess, engine: EngineChoice, { config, metrics }: ServeOptions): void {
  const name = metrics === undefined ? `${config}: metrics` : "--metrics";
  if (engine.is === "none")
    throw usageFailure(`${name} needs sessions to count, but with the engine none there are no sessions.`);
  if (access.is === "several" && !access.users.some(({ metrics }) => metrics)) {
    throw usageFailure(
      `${name} needs a user who may read the metrics: set metrics to true for one of the users in ${config}.`,
    );
  }
}

function listenOf({ listen }: ServeConfig, { config }: ServeOptions): ListenAddress | undefined {
  if (listen === undefined) return undefined;
  try {
    return readListenAddress(listen);
  } catch (cause) {
    throw usageFailure(`${config}: listen must be host:port, such as 127.0.0.1:8080 or [::1]:8080.`, { cause });
  }
}

function accessOf(options: ServeOptions, config: ServeConfig, host: Host): ServeAccess {
  const auth = options.auth ?? config.auth ?? "token";
  const tokenFile = options.tokenFile ?? (options.auth === "none" ? undefined : config.tokenFile);
  if (auth === "none") {
    if (tokenFile !== undefined) {
      const [authName, fileName] = [
        options.auth === undefined ? `${options.config}: auth none` : "--auth none",
        options.tokenFile === undefined ? `${options.config}: tokenFile` : "--token-file",
      ];
      throw usageFailure(`${authName} and ${fileName} contradict each other. Give one of them.`);
    }
    if (options.auth === undefined && config.users !== undefined) {
      throw usageFailure(`${options.config}: auth must be token if there are users.`);
    }
    return { is: "everybody" };
  }
  if (config.users === undefined || options.tokenFile !== undefined) {
    const where = options.tokenFile === undefined ? `${options.config}: tokenFile` : "--token-file";
    return { is: "one", token: readToken({ ...(tokenFile !== undefined && { tokenFile }) }, host, where) };
  }
  if (config.tokenFile !== undefined) {
    throw usageFailure(`${options.config}: tokenFile is not allowed with users, because each user has a tokenFile.`);
  }
  return { is: "several", users: usersOf(config.users, options.config ?? "", host) };
}

/** Returns the function that finds the folder of a user. `cwd` is the folder of users without one of their own. */
function foldersOf(access: ServeAccess, cwd: string): (user: UserName) => string {
  const users = access.is === "several" ? access.users : [];
  return ({ tenant, user }) =>
    users.find((other) => other.tenant === tenant && other.user === user && other.folder !== undefined)?.folder ?? cwd;
}

function usersOf(configured: readonly ConfiguredUser[], file: string, host: Host): ServedUser[] {
  const tokens = new Map<string, number>();
  return configured.map(({ tenant = "", user, tokenFile, access = "full", metrics = false, folder }, index) => {
    const token = readToken({ tokenFile }, host, `${file}: users[${index}].tokenFile`) ?? "";
    const before = tokens.get(token);
    if (before !== undefined) {
      throw usageFailure(
        `${file}: users[${index}].tokenFile must contain another token than that of users[${before}].`,
      );
    }
    tokens.set(token, index);
    if (folder !== undefined && !isDirectory(folder))
      throw usageFailure(`${file}: users[${index}].folder ${folder} must be a folder that exists.`);
    return { token, tenant, user, access, metrics, folder };
  });
}

function tlsOf({ tlsCert, tlsKey, config: file }: ServeOptions, config: ServeConfig): ServeSettings["tls"] {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw usageFailure('"--tls-cert" and "--tls-key" can only be used together. Give both.');
  }
  const isOption = tlsCert !== undefined;
  const certFile = tlsCert ?? config.tls?.certFile;
  const keyFile = tlsKey ?? config.tls?.keyFile;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const cert = readText(certFile, `${isOption ? "--tls-cert" : `${file}: tls.certFile`} ${certFile}`);
  const key = readText(keyFile, `${isOption ? "--tls-key" : `${file}: tls.keyFile`} ${keyFile}`);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const names = isOption ? "--tls-cert and --tls-key" : `${file}: tls.certFile and tls.keyFile`;
    throw usageFailure(
      `${names} must be a certificate and its key, as PEM: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
  return { cert, key };
}

function nameOf(host: string): string {
  return /^(?:\[[^\]]*\]|[^:]+)(?=:\d+$)/.exec(host)?.[0] ?? host;
}
