import { readFileSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { GatewayLimits, GatewayPolicy, GatewayTimes } from "@acp-kit/gateway";
import { gatewayLimitDefaults, gatewayTimeDefaults } from "@acp-kit/gateway/internal";
import { acpHandlerDefaults, type ServerLimits } from "@acp-kit/http";
import { usageFailure } from "../../command-failure.js";
import type { LogLevel } from "../../log.js";
import { parseJson, readText } from "../../user-file.js";
import { packageFile } from "../../version.js";
import { checkConfig } from "./schema-check.js";

/** A user of a server, as an entry of the configuration file. */
export interface ConfiguredUser {
  readonly tenant?: string;
  readonly user: string;
  readonly tokenFile: string;
  readonly access?: "full" | "observe";
  /** Whether the user may read the metrics. */
  readonly metrics?: boolean;
  /** The folder of the user's sessions. */
  readonly folder?: string;
}

/** The configuration that `serve-config.schema.json` describes. */
export interface ServeConfig {
  readonly agent?: {
    readonly command: string;
    readonly args?: readonly string[];
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly inheritEnv?: readonly string[];
  };
  readonly listen?: string;
  readonly auth?: "token" | "none";
  readonly tokenFile?: string;
  readonly users?: readonly ConfiguredUser[];
  readonly engine?: string;
  readonly cluster?: { readonly address: string; readonly listen?: string; readonly secretFile: string };
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  readonly protocol?: "1" | "auto";
  readonly agentPer?: "session" | "principal";
  readonly warm?: number;
  readonly drainGraceMs?: number;
  readonly metrics?: boolean;
  readonly logLevel?: LogLevel;
  readonly policy?: Omit<GatewayPolicy, "unattended">;
  readonly limits?: Partial<GatewayLimits>;
  readonly times?: Partial<GatewayTimes>;
  readonly http?: ServerLimits;
}

/**
 * Reads a configuration file. Paths in the file are resolved relative to the folder of the file.
 *
 * @throws {CommandFailure} when the file is invalid. The message contains the file, the key and the expected value.
 */
export function readServeConfig(path: string): ServeConfig {
  const value = parseJson(readText(path, `--config ${path}`), path);
  const problem = checkConfig(value, JSON.parse(readFileSync(packageFile("serve-config.schema.json"), "utf8")));
  if (problem !== undefined) {
    const subject = problem.path === "" ? "the configuration" : problem.path;
    throw usageFailure(`${path}: ${subject} ${problem.expectation}${problem.expectation.endsWith("?") ? "" : "."}`);
  }
  const config = value as ServeConfig;
  checkNames(path, "limits", config.limits, gatewayLimitDefaults);
  checkNames(path, "times", config.times, gatewayTimeDefaults);
  checkNames(path, "http", config.http, acpHandlerDefaults);
  return withPaths(config, dirname(resolve(path)));
}

/** Checks the names of limits against `known`, all limits of a package; the schema lists only common ones. */
function checkNames(path: string, key: string, given: object = {}, known: object): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw usageFailure(`${path}: ${key}.${unknown} is not a limit. The limits are ${Object.keys(known).join(", ")}.`);
}

function withPaths(config: ServeConfig, folder: string): ServeConfig {
  const at = (path: string): string => resolve(folder, path);
  const { agent, tokenFile, users, engine, cluster, tls } = config;
  // Otherwise a name on the PATH
  const isPath = (command: string): boolean => command.includes("/") || command.includes(sep);
  return {
    ...config,
    ...(agent !== undefined && {
      agent: {
        ...agent,
        ...(isPath(agent.command) && { command: at(agent.command) }),
        ...(agent.cwd !== undefined && { cwd: at(agent.cwd) }),
      },
    }),
    ...(tokenFile !== undefined && { tokenFile: at(tokenFile) }),
    ...(users !== undefined && {
      users: users.map((user) => ({
        ...user,
        tokenFile: at(user.tokenFile),
        ...(user.folder !== undefined && { folder: at(user.folder) }),
      })),
    }),
    ...(engine?.startsWith("sqlite:") &&
      engine !== "sqlite:" && { engine: `sqlite:${at(engine.slice("sqlite:".length))}` }),
    ...(cluster !== undefined && { cluster: { ...cluster, secretFile: at(cluster.secretFile) } }),
    ...(tls !== undefined && { tls: { certFile: at(tls.certFile), keyFile: at(tls.keyFile) } }),
  };
}
