import { isIPv6 } from "node:net";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { readToken } from "../remote-options.js";
import type { ServeConfig } from "./config/serve-config.js";
import type { EngineChoice } from "./engine-choice.js";
import { readListenAddress } from "./listen-address.js";

/** The options about replicas; a missing option is `undefined`. */
export interface ClusterOptions {
  readonly config?: string;
  readonly replicaAddress?: string;
  readonly replicaSecretFile?: string;
}

/** How several servers that share one engine (replicas) reach each other. */
export interface ClusterSettings {
  readonly address: string;
  readonly listen: string;
  readonly secret: string;
}

const MIN_SECRET = 16;

/**
 * Returns the settings of replicas from the options and the configuration file; `undefined` if neither contains such
 * settings.
 *
 * @throws {CommandFailure} when the address or the secret is missing or invalid, or the engine can't be shared.
 */
export function clusterSettings(
  options: ClusterOptions,
  { cluster }: ServeConfig,
  engine: EngineChoice,
  host: Host,
): ClusterSettings | undefined {
  const address = options.replicaAddress ?? cluster?.address;
  const file = options.replicaSecretFile ?? cluster?.secretFile;
  if (address === undefined && file === undefined) return undefined;
  const [addressName, fileName] = [
    options.replicaAddress === undefined ? `${options.config}: cluster.address` : "--replica-address",
    options.replicaSecretFile === undefined ? `${options.config}: cluster.secretFile` : "--replica-secret-file",
  ];
  if (address === undefined || file === undefined) {
    throw usageFailure("--replica-address and --replica-secret-file can only be used together. Give both.");
  }
  if (engine.is !== "redis" && engine.is !== "postgres") {
    throw usageFailure(
      `${addressName} needs an engine that several servers can share: use --engine redis://… or postgres://….`,
    );
  }
  const listen = (options.replicaAddress === undefined ? cluster?.listen : undefined) ?? address;
  const reached = replicaAddress(address, addressName);
  const listened = replicaAddress(listen, listen === address ? addressName : `${options.config}: cluster.listen`);
  const secret = readToken({ tokenFile: file }, host, fileName) ?? "";
  if (secret.length < MIN_SECRET)
    throw usageFailure(`${fileName} must contain a secret of at least ${MIN_SECRET} characters.`);
  return { address: reached, listen: listened, secret };
}

/**
 * Checks the address of a replica, and returns it with brackets around an IPv6 address. Manifests such as
 * `$(POD_IP):7700` write no brackets, because they don't know the family of the address. Unlike in `--listen`, the
 * address must have a host: other servers can't reach an address without one.
 */
function replicaAddress(text: string, name: string): string {
  const [host, port] = [text.slice(0, text.lastIndexOf(":")), text.slice(text.lastIndexOf(":"))];
  const address = isIPv6(host) ? `[${host}]${port}` : text;
  try {
    readListenAddress(address);
    if (/^:?\d+$/.test(address)) throw new TypeError("The address has no host.");
    return address;
  } catch (cause) {
    throw usageFailure(`${name} must be host:port, such as 10.0.0.3:7700, not ${JSON.stringify(text)}.`, { cause });
  }
}
