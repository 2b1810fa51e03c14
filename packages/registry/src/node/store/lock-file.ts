import { isJsonObject } from "@acp-kit/protocol/internal";
import { isAgentId } from "../catalog/decode-agent.js";
import { isArguments, isText, isVariables } from "../catalog/decode-members.js";
import { RegistryError } from "../errors.js";
import { readBounded } from "../files/read-bounded.js";
import { writeAtomically } from "../files/write-atomically.js";
import type { DistributionKind } from "../install/choose-distribution.js";

/** An installed version of an agent, as stored in the lock file. */
export interface PinnedVersion {
  readonly version: string;
  /** The version of the registry entry, or the version that the user chose. A package's version can differ. */
  readonly entryVersion: string;
  readonly kind: DistributionKind;
  /** The name of the package, or the URL of the download. */
  readonly from: string;
  /** npm's `integrity`, or the SHA-256 of the download; absent if unknown. */
  readonly integrity?: string;
  /** The name of the folder of this version, inside the agent's folder. */
  readonly folder: string;
  readonly launch: {
    readonly file: string;
    readonly isNodeScript: boolean;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** The time of the installation, as ISO 8601. */
  readonly installedAt: string;
  readonly notes: readonly string[];
  /** `true` if all install scripts were run, otherwise absent. */
  readonly scripts?: boolean;
}

/** The checksum of a version of an agent. If the version is installed again, its bytes must have the same checksum. */
export type PinnedChecksum = Required<Pick<PinnedVersion, "version" | "kind" | "from" | "integrity">>;

/**
 * The reason why updates keep a version: `version` if the user installed this version explicitly, `rollback` if the
 * user rolled back to it. If the user then installs the agent without a version, the reason is removed, and updates can
 * replace the version.
 */
export type HoldReason = "version" | "rollback";

/** An installed agent, as stored in the lock file. */
export interface PinnedAgent extends PinnedVersion {
  readonly name: string;
  /** The name of the source of the registry entry. */
  readonly source: string;
  /** How the user chose this version, if so. If it is set, `planUpdates` plans no update. */
  readonly heldBy?: HoldReason;
  /** The previously installed version, for `rollback`. */
  readonly previous?: PinnedVersion;
  /** The checksums of the versions that were installed before `previous`; absent if there are none. */
  readonly earlier?: readonly PinnedChecksum[];
}

/** Returns the checksums of all versions of an agent that were ever installed, if they are known. */
export function checksumsOf({ earlier = [], previous, ...current }: PinnedAgent): readonly PinnedChecksum[] {
  const known = [...earlier];
  for (const { version, kind, from, integrity } of previous === undefined ? [current] : [previous, current]) {
    if (integrity !== undefined) known.push({ version, kind, from, integrity });
  }
  return known;
}

/** The installed agents by id. */
export type PinnedAgents = Readonly<Record<string, PinnedAgent>>;

const formatVersion = 1;
const maxBytes = 16_777_216;

/**
 * Reads the lock file. Returns no agents if the file does not exist.
 *
 * @throws {RegistryError} `invalid_settings` if the file is invalid.
 */
export async function readLockFile(file: string): Promise<PinnedAgents> {
  const text = await readBounded(file, maxBytes);
  if (text === undefined) return {};
  const broken = (why: string): RegistryError =>
    new RegistryError(
      "invalid_settings",
      `The lock file ${file} ${why}. Repair it, or remove it and install the agents again.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(`is not JSON: ${(cause as Error).message}`);
  }
  if (!isJsonObject(value) || !isJsonObject(value.agents)) throw broken("has no member `agents`");
  if (value.lockfileVersion !== formatVersion) {
    throw broken(
      `has the version ${String(value.lockfileVersion)}, but this version of acp-kit supports only version ${formatVersion}`,
    );
  }
  for (const [id, agent] of Object.entries(value.agents)) {
    if (!isAgentId(id) || !isPinnedAgent(agent)) throw broken(`has an invalid entry "${id}"`);
  }
  return value.agents as PinnedAgents;
}

/** Replaces the lock file atomically. The caller must hold the lock of the lock file. */
export async function writeLockFile(file: string, agents: PinnedAgents): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(agents).sort(([one], [other]) => (one < other ? -1 : 1)));
  await writeAtomically(file, `${JSON.stringify({ lockfileVersion: formatVersion, agents: sorted }, undefined, 2)}\n`);
}

function isPinnedAgent(value: unknown): value is PinnedAgent {
  return (
    isPinnedVersion(value) &&
    isText(value.name) &&
    typeof value.source === "string" &&
    (value.heldBy === undefined || value.heldBy === "version" || value.heldBy === "rollback") &&
    (value.previous === undefined || isPinnedVersion(value.previous)) &&
    (value.earlier === undefined || (Array.isArray(value.earlier) && value.earlier.every(isPinnedChecksum)))
  );
}

function isPinnedChecksum(value: unknown): value is PinnedChecksum {
  return isJsonObject(value) && isSource(value) && isText(value.integrity);
}

function isSource({ version, kind, from }: Readonly<Record<string, unknown>>): boolean {
  return isText(version) && ["npx", "uvx", "binary"].includes(String(kind)) && isText(from);
}

/**
 * Returns whether a value is an entry of the lock file. Paths outside the agent's folder are invalid, because the
 * application starts the program at this path.
 */
function isPinnedVersion(value: unknown): value is PinnedVersion & Record<string, unknown> {
  if (!isJsonObject(value) || !isJsonObject(value.launch)) return false;
  const { file, args, env, isNodeScript } = value.launch;
  return (
    isSource(value) &&
    isText(value.entryVersion) &&
    (value.integrity === undefined || isText(value.integrity)) &&
    (value.scripts === undefined || typeof value.scripts === "boolean") &&
    isText(value.folder) &&
    /^[\w.+-]+$/.test(value.folder) &&
    !/^\.+$/.test(value.folder) &&
    isText(file) &&
    !file.split(/[/\\]/).includes("..") &&
    !/^(?:[/\\]|[A-Za-z]:)/.test(file) &&
    typeof isNodeScript === "boolean" &&
    isArguments(args) &&
    isVariables(env) &&
    isText(value.installedAt) &&
    isArguments(value.notes)
  );
}
