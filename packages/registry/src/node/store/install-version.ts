import type { RegistryAgent } from "../catalog/registry-document.js";
import { RegistryError } from "../errors.js";
import { type ChosenDistribution, chooseDistribution, type DistributionKind } from "../install/choose-distribution.js";
import { installBinary } from "../install/install-binary.js";
import { installNpm } from "../install/install-npm.js";
import type { InstallContext } from "../install/install-options.js";
import { installUv } from "../install/install-uv.js";
import { packageSpec } from "../install/package-spec.js";
import type { PinnedAgent, PinnedVersion } from "./lock-file.js";

/** Which version, of which kind. */
interface Choice {
  readonly version?: string;
  readonly kind?: DistributionKind;
  readonly preview?: boolean;
}

/** Installs one version of an agent into a new folder. */
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
    throw new RegistryError("no_distribution", `"${wanted}" is not a version of "${agent.id}".`);
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
  };
}

/** Whether the installed version is the one that {@link installVersion} would install. */
export function isVersion(agent: RegistryAgent, installed: PinnedAgent, choice: Choice): boolean {
  if (choice.kind !== undefined && choice.kind !== installed.kind) return false;
  if (choice.version !== undefined) return installed.version === choice.version;
  return installed.entryVersion === channelOf(agent, choice).version;
}

function channelOf(
  agent: RegistryAgent,
  { preview }: Pick<Choice, "preview">,
): Pick<RegistryAgent, "version" | "distribution"> {
  if (!preview) return agent;
  if (agent.preview === undefined)
    throw new RegistryError("no_distribution", `The agent "${agent.id}" has no pre-release.`);
  return agent.preview;
}

function sourceOf({ kind, distribution }: ChosenDistribution): string {
  return kind === "binary" ? distribution.archive : packageSpec(distribution.package, kind).name;
}

/** The checksum of the same version when it was installed before. */
function pinOf(
  current: PinnedAgent | undefined,
  kind: DistributionKind,
  from: string,
  wanted: string | undefined,
): PinnedCheck {
  const known = [current, current?.previous].filter((each) => each?.kind === kind && each.from === from);
  return (version) => known.find((each) => each?.version === (wanted ?? version))?.integrity;
}

type PinnedCheck = (version: string) => string | undefined;

function install(
  chosen: ChosenDistribution,
  version: string,
  wanted: string | undefined,
  pinned: PinnedCheck,
  context: InstallContext,
): ReturnType<typeof installBinary> {
  if (chosen.kind === "npx") {
    const named = packageSpec(chosen.distribution.package, "npx").version ?? version;
    return installNpm(chosen.distribution, wanted, pinned(named), context);
  }
  if (chosen.kind === "uvx") return installUv(chosen.distribution, version, wanted, context);
  if (wanted !== undefined && wanted !== version) {
    throw new RegistryError(
      "no_distribution",
      `The registry has only version ${version} of this agent, which is downloaded as a program. Version ${wanted} can't be installed.`,
    );
  }
  return installBinary(chosen.distribution, version, pinned(version), context);
}
