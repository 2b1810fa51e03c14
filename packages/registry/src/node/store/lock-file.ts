import { isAgentId } from "../catalog/decode-agent.js";
import { isArguments, isObject, isText, isVariables } from "../catalog/decode-members.js";
import { RegistryError } from "../errors.js";
import { readBounded } from "../files/read-bounded.js";
import { writeAtomically } from "../files/write-atomically.js";
import type { DistributionKind } from "../install/choose-distribution.js";

/** One installed version of an agent, as the lock file has it. */
export interface PinnedVersion {
  readonly version: string;
  /** The version of the registry's entry, which a package's own version may differ from; for a version that the user chose, that one. */
  readonly entryVersion: string;
  readonly kind: DistributionKind;
  /** The package or the URL that it was installed from. */
  readonly from: string;
  /** npm's `integrity`, or the SHA-256 of the download; absent where neither is known. */
  readonly integrity?: string;
  /** The name of its folder, below that of the agent. */
  readonly folder: string;
  readonly launch: {
    readonly file: string;
    readonly isNodeScript: boolean;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** As an ISO date and time. */
  readonly installedAt: string;
  readonly notes: readonly string[];
}

/** An installed agent, as the lock file has it. */
export interface PinnedAgent extends PinnedVersion {
  readonly name: string;
  /** The source of its registry entry. */
  readonly source: string;
  /** Whether the user chose this version: an update does not change it. */
  readonly isHeld: boolean;
  /** The version that was installed before, which is kept to go back to. */
  readonly previous?: PinnedVersion;
}

/** The installed agents by id. */
export type PinnedAgents = Readonly<Record<string, PinnedAgent>>;

const formatVersion = 1;
const maxBytes = 16_777_216;

/** Reads the lock file; no agents if there is none. @throws {RegistryError} `invalid_settings` for one that can't be read. */
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
  if (!isObject(value) || !isObject(value.agents)) throw broken("has no `agents`");
  if (value.lockfileVersion !== formatVersion) {
    throw broken(
      `has the version ${String(value.lockfileVersion)}, but this version of acp-kit knows ${formatVersion}`,
    );
  }
  for (const [id, agent] of Object.entries(value.agents)) {
    if (!isAgentId(id) || !isPinnedAgent(agent)) throw broken(`has an entry "${id}" that is not understood`);
  }
  return value.agents as PinnedAgents;
}

/** Replaces the lock file as a whole. Only the holder of its lock calls it. */
export async function writeLockFile(file: string, agents: PinnedAgents): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(agents).sort(([one], [other]) => (one < other ? -1 : 1)));
  await writeAtomically(file, `${JSON.stringify({ lockfileVersion: formatVersion, agents: sorted }, undefined, 2)}\n`);
}

function isPinnedAgent(value: unknown): value is PinnedAgent {
  return (
    isPinnedVersion(value) &&
    isText(value.name) &&
    typeof value.source === "string" &&
    typeof value.isHeld === "boolean" &&
    (value.previous === undefined || isPinnedVersion(value.previous))
  );
}

/** Paths that lead elsewhere are no lock file of ours: what it names is started. */
function isPinnedVersion(value: unknown): value is PinnedVersion & Record<string, unknown> {
  if (!isObject(value) || !isObject(value.launch)) return false;
  const { file, args, env, isNodeScript } = value.launch;
  return (
    isText(value.version) &&
    isText(value.entryVersion) &&
    ["npx", "uvx", "binary"].includes(String(value.kind)) &&
    isText(value.from) &&
    (value.integrity === undefined || isText(value.integrity)) &&
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
