import type {
  AgentDistribution,
  BinaryTarget,
  PackageDistribution,
  RegistryAgent,
} from "../catalog/registry-document.js";
import { RegistryError } from "../errors.js";
import type { Variables } from "../files/directories.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import { registryPlatform } from "./platform.js";

/** A kind of distribution. */
export type DistributionKind = "npx" | "uvx" | "binary";

/** @internal A distribution with its kind. */
export type ChosenDistribution =
  | { readonly kind: "npx"; readonly distribution: PackageDistribution }
  | { readonly kind: "uvx"; readonly distribution: PackageDistribution }
  | { readonly kind: "binary"; readonly distribution: BinaryTarget };

/**
 * The kinds in order of preference. npm and uv come first, because they verify the packages. An archive can be verified
 * only if the registry contains a checksum.
 */
const order: readonly DistributionKind[] = ["npx", "uvx", "binary"];

/**
 * Chooses the distribution to install. Returns the kind that the caller requests, if any; otherwise the first kind that
 * this machine can install. If no kind can be installed, because `npm` or `uv` is missing, returns the first kind; its
 * installation then reports the missing tool.
 *
 * @throws {RegistryError} `no_distribution`.
 */
export function chooseDistribution(
  { id, distribution }: Pick<RegistryAgent, "id" | "distribution">,
  env: Variables,
  preferred?: DistributionKind,
): ChosenDistribution {
  const kinds = preferred === undefined ? order : [preferred];
  const here = kinds.flatMap((kind) => distributionOf(distribution, kind) ?? []);
  const [first] = here;
  if (first === undefined) {
    const offered = Object.keys(distribution.binary ?? {});
    const others = offered.length > 0 ? ` There are programs for ${offered.join(", ")}.` : "";
    throw new RegistryError(
      "no_distribution",
      `The agent "${id}" has no distribution${preferred === undefined ? "" : ` of the kind ${preferred}`} for ${registryPlatform()}.${others}`,
    );
  }
  const hasTool = ({ kind }: ChosenDistribution): boolean =>
    kind === "binary" || findProgram(kind === "npx" ? "npm" : "uv", programsHere(env)) !== undefined;
  return here.find(hasTool) ?? first;
}

/** Returns the distribution of a kind, such as `npx`; `undefined` if the agent has none for this machine. */
export function distributionOf(
  distribution: AgentDistribution,
  kind: DistributionKind,
): ChosenDistribution | undefined {
  if (kind !== "binary") {
    const found = distribution[kind];
    return found && ({ kind, distribution: found } as ChosenDistribution);
  }
  const platform = registryPlatform();
  const found =
    distribution.binary !== undefined && Object.hasOwn(distribution.binary, platform)
      ? distribution.binary[platform]
      : undefined;
  return found && { kind, distribution: found };
}
