import type { AgentQuirks, FeatureQuirk } from "@acp-kit/registry";
import { isInRange } from "@acp-kit/registry/quirks";

/**
 * Adds the measurement of an agent (a row) to a list of measurements. The new row replaces the row of the
 * same agent and version. Features that only one of these two rows contains are marked as observed in some runs. Each
 * row of an agent applies to the versions from its own to the next measured version. Rows are sorted by agent, then in
 * the order of measurement.
 */
export function mergeRow(rows: readonly AgentQuirks[], measuredRow: AgentQuirks): readonly AgentQuirks[] {
  const { agent, measured } = measuredRow;
  const same = rows.find((each) => each.agent === agent && each.measured.version === measured.version);
  const { conformance = same?.conformance, ...found } = measuredRow;
  const features = same === undefined ? {} : featuresOf(same, measuredRow);
  const row: AgentQuirks = { ...found, ...features, ...(conformance !== undefined && { conformance }) };
  // If only the day differs, the old row stays, so that the file does not change.
  if (
    same !== undefined &&
    JSON.stringify({ ...same, versions: "", measured }) === JSON.stringify({ ...row, versions: "" })
  )
    return rows;
  const others = rows.filter((each) => each.agent !== agent || each.measured.version !== measured.version);
  const at = others.findLastIndex((each) => each.agent <= agent) + 1;
  const merged = others.toSpliced(at, 0, row);
  return merged.map((each) => (each.agent === agent ? { ...each, versions: rangeIn(merged, each) } : each));
}

/** Merges the features that two measurements of the same version found. */
function featuresOf(one: AgentQuirks, other: AgentQuirks): Pick<AgentQuirks, "offeredButBroken" | "worksUnoffered"> {
  return {
    offeredButBroken: inBoth(one.offeredButBroken, other.offeredButBroken),
    worksUnoffered: inBoth(one.worksUnoffered, other.worksUnoffered),
  };
}

/** Merges two lists of features by name. A feature that only one list contains is marked as observed in some runs. */
function inBoth(one: readonly FeatureQuirk[], other: readonly FeatureQuirk[]): readonly FeatureQuirk[] {
  const isIn = (list: readonly FeatureQuirk[], { feature, observed }: FeatureQuirk): boolean =>
    list.some((each) => each.feature === feature && each.observed === observed);
  const added = other.filter((quirk) => !one.some(({ feature }) => feature === quirk.feature));
  return [...one, ...added].map((quirk) =>
    isIn(one, quirk) && isIn(other, quirk) ? quirk : { ...quirk, inSomeRuns: true },
  );
}

/** Returns the range of versions from the measured version to the next measured version. */
function rangeIn(rows: readonly AgentQuirks[], { agent, measured: { version } }: AgentQuirks): string {
  const later = rows
    .filter((each) => each.agent === agent && isInRange(each.measured.version, `>${version}`))
    .map(({ measured }) => measured.version);
  const next = later.find((each) => later.every((other) => !isInRange(other, `<${each}`)));
  return next === undefined ? `>=${version}` : `>=${version} <${next}`;
}
