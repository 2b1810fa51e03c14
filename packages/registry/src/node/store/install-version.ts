import type { RegistryAgent } from "../catalog/registry-document.js";
import { RegistryError } from "../errors.js";
import {
  type ChosenDistribution,
  chooseDistribution,
  type DistributionKind,
  distributionOf,
} from "../install/choose-distribution.js";
import type { InstallContext, InstallResult } from "../install/install-options.js";
import { packageSpec } from "../install/package-spec.js";
import { checksumsOf, type PinnedAgent, type PinnedVersion } from "./lock-file.js";

interface Choice {
  readonly version?: string;
  readonly kind?: DistributionKind;
  readonly preview?: boolean;
  readonly scripts?: boolean;
}

/** Installs a version of an agent into a new folder. */
export async function installVersion(
  agent: RegistryAgent,
  current: PinnedAgent | undefined,
  choice: Choice,
  context: InstallContext & { readonly folderName: string },
): Promise<PinnedVersion> {
  const offered = channelOf(agent, choice);
  const chosen = chooseDistribution({ id: agent.id, distribution: offered.distribution }, context.env, choice.kind);
  const wanted = choice.version;
  if (wanted !== undefined && !/^\w[\w.+!-]{0,127}$/.test(wanted)) {
    throw new RegistryError("no_distribution", `"${wanted}" is not a valid version of "${agent.id}".`);
  }
  const from = sourceOf(chosen);
  const pinned = pinOf(current, chosen.kind, from, wanted);
  const { launch, version, integrity, notes } = await install(chosen, offered.version, wanted, pinned, context);
  return {
    version,
    entryVersion: wanted ?? offered.version,
    kind: chosen.kind,
    from,
    folder: context.folderName,
    launch,
    installedAt: new Date().toISOString(),
    notes,
    ...(integrity !== undefined && { integrity }),
    ...(choice.scripts && chosen.kind === "npx" && { scripts: true }),
  };
}

/** Whether the installed version is the chosen one, from the package or download of the registry entry. */
export function isVersion(agent: RegistryAgent, installed: PinnedVersion, choice: Choice): boolean {
  if (choice.kind !== undefined && choice.kind !== installed.kind) return false;
  if (choice.scripts && installed.kind === "npx" && !installed.scripts) return false;
  const { version, distribution } = channelOf(agent, choice);
  const offered = distributionOf(distribution, installed.kind);
  if (offered === undefined || sourceOf(offered) !== installed.from) return false;
  return choice.version === undefined ? installed.entryVersion === version : installed.version === choice.version;
}

function channelOf(
  agent: RegistryAgent,
  { preview }: Pick<Choice, "preview">,
): Pick<RegistryAgent, "version" | "distribution"> {
  if (!preview) return agent;
  if (agent.preview === undefined)
    throw new RegistryError("no_distribution", `The agent "${agent.id}" has no pre-release version.`);
  return agent.preview;
}

function sourceOf({ kind, distribution }: ChosenDistribution): string {
  return kind === "binary" ? distribution.archive : packageSpec(distribution.package, kind).name;
}

/** Returns a function that looks up a version's checksum among earlier installations of the package or URL. */
function pinOf(
  current: PinnedAgent | undefined,
  kind: DistributionKind,
  from: string,
  wanted: string | undefined,
): PinnedCheck {
  const checksums = current === undefined ? [] : checksumsOf(current);
  const known = checksums.filter((each) => each.kind === kind && each.from === from);
  return (version) => known.find((each) => each.version === (wanted ?? version))?.integrity;
}

type PinnedCheck = (version: string) => string | undefined;

/** Imports only the installer of the chosen kind, because most programs that resolve names install nothing. */
async function install(
  chosen: ChosenDistribution,
  version: string,
  wanted: string | undefined,
  pinned: PinnedCheck,
  context: InstallContext,
): Promise<InstallResult> {
  if (chosen.kind === "npx") {
    const named = packageSpec(chosen.distribution.package, "npx").version ?? version;
    const { installNpm } = await import("../install/install-npm.js");
    return await installNpm(chosen.distribution, wanted, pinned(named), context);
  }
  if (chosen.kind === "uvx") {
    const { installUv } = await import("../install/install-uv.js");
    return await installUv(chosen.distribution, version, wanted, context);
  }
  if (wanted !== undefined && wanted !== version) {
    throw new RegistryError(
      "no_distribution",
      `Version ${wanted} can't be installed: this agent is a downloaded program, and the registry has only version ${version}.`,
    );
  }
  const { installBinary } = await import("../install/install-binary.js");
  return await installBinary(chosen.distribution, version, pinned(version), context);
}
