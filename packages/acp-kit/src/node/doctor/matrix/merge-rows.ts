import type { AgentQuirks, FeatureQuirk } from "@acp-kit/registry";
import { isInRange } from "@acp-kit/registry/quirks";

/**
 * Adds the measurement of an agent to a list of measurements, one row for each. The new row replaces the row of the
 * same agent and version; features that differ between the two are marked as observed in some runs. Each row of an agent applies to the versions before the next measured one. Rows are sorted by
 * agent, then in the order of measurement.
 */
export function mergeRow(rows: readonly AgentQuirks[], measuredRow: AgentQuirks): readonly AgentQuirks[] {
  const { agent, measured } = measuredRow;
  const same = rows.find((each) => each.agent === agent && each.measured.version === measured.version);
  const { conformance = same?.conformance, ...found } = measuredRow;
  const features = same === undefined ? {} : featuresOf(same, measuredRow);
  const row: AgentQuirks = { ...found, ...features, ...(conformance !== undefined && { conformance }) };
  // The same result on another day keeps the old row, so that the file does not change.
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

/** The features that two measurements of the same version found. */
function featuresOf(one: AgentQuirks, other: AgentQuirks): Pick<AgentQuirks, "offeredButBroken" | "worksUnoffered"> {
  return {
    offeredButBroken: inBoth(one.offeredButBroken, other.offeredButBroken),
    worksUnoffered: inBoth(one.worksUnoffered, other.worksUnoffered),
  };
}

/** Merges two lists of features, by name. What only one of them contains was observed in some runs. */
function inBoth(one: readonly FeatureQuirk[], other: readonly FeatureQuirk[]): readonly FeatureQuirk[] {
  const isIn = (list: readonly FeatureQuirk[], { feature, observed }: FeatureQuirk): boolean =>
    list.some((each) => each.feature === feature && each.observed === observed);
  const added = other.filter((quirk) => !one.some(({ feature }) => feature === quirk.feature));
  return [...one, ...added].map((quirk) =>
    isIn(one, quirk) && isIn(other, quirk) ? quirk : { ...quirk, inSomeRuns: true as const },
  );
}

/** The versions from the measured one to the next one that was measured. */
function rangeIn(rows: readonly AgentQuirks[], { agent, measured: { version } }: AgentQuirks): string {
  const later = rows
    .filter((each) => each.agent === agent && isInRange(each.measured.version, `>${version}`))
    .map(({ measured }) => measured.version);
  const next = later.find((each) => later.every((other) => !isInRange(other, `<${each}`)));
  return next === undefined ? `>=${version}` : `>=${version} <${next}`;
}
