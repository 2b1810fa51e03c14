import type { AgentQuirks } from "@acp-kit/registry";

/**
 * Puts a row into the measured ones: it replaces the row of the same agent and version, and ends the range of earlier ones. Sorted by agent,
 * then as measured.
 */
export function mergeRow(rows: readonly AgentQuirks[], row: AgentQuirks): readonly AgentQuirks[] {
  const { agent, measured } = row;
  const same = rows.find((each) => each.agent === agent && each.measured.version === measured.version);
  // Measured again with the same result, the row keeps its day: the bytes are the same.
  if (
    same !== undefined &&
    JSON.stringify({ ...same, versions: "", measured }) === JSON.stringify({ ...row, versions: "" })
  )
    return rows;
  const others = rows.filter((each) => each.agent !== agent || each.measured.version !== measured.version);
  const ended = others.map((each) => {
    if (each.agent !== agent || / </.test(each.versions)) return each;
    return { ...each, versions: `>=${each.measured.version} <${measured.version}` };
  });
  const at = ended.findLastIndex((each) => each.agent <= agent) + 1;
  return ended.toSpliced(at, 0, row);
}
