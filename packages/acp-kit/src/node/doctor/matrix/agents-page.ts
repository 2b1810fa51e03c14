import { dialectRules } from "@acp-kit/client";
import type { AgentQuirks, FeatureQuirk } from "@acp-kit/registry";
import { probedCapabilities } from "./probe-features.js";

/** Generates the page `docs/agents.md` from the measurements of agents. */
export function agentsPage(rows: readonly AgentQuirks[]): string {
  return `${[
    "# Agents, measured",
    "",
    "The behaviour of agents, measured by `acp-kit doctor --matrix` offline, with a scripted model and an empty home folder. The page is generated from",
    "[`@acp-kit/registry/quirks`](../packages/registry/README.md#quirks).",
    "",
    "| agent | version | on | conformance | on cancel | on end of input | login needed | leaves running |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(summary),
    ...rows.flatMap(details),
    "",
    ...ruleTable(),
    "",
    "## What the columns mean",
    "",
    "- **conformance**: the verdict of `acp-kit conformance agent` for some scenarios. The conformance report has the",
    "  [results of all scenarios](conformance-report.md).",
    "- **on cancel**: the stop reason or the error of a turn that the client cancels while text streams; `none`: no response in time.",
    "- **on end of input**: the exit code if the process exits within ten seconds after the end of its standard input, otherwise the signal that ends it.",
    "- **methods tried**: in a saved session, whether or not the agent advertises them. The page does not say whether those that were **not tried** work.",
    "- **version 2**: the same over version 2 of the protocol. The other rows are about version 1.",
    "- **in some runs**: measurements of the same version had different results. Rows for which nothing was found are left out.",
    "- **login needed**: although the environment contains an API key.",
    "- **leaves running**: programs that run on after the agent has exited.",
    "",
    "To measure an agent, run `acp-kit doctor --matrix <name>`. To add a row, run `pnpm agents:measure <name>`, then review and commit the changes.",
  ].join("\n")}\n`;
}

function summary({
  name,
  measured,
  conformance,
  onCancel,
  onEndOfInput,
  needsLogin,
  leavesBehind,
}: AgentQuirks): string {
  const cells = [
    `[${name}](#${anchor(name)})`,
    measured.version,
    measured.on,
    conformance?.verdict ?? "not run",
    `\`${onCancel}\``,
    onEndOfInput,
    needsLogin ? "yes" : "no",
    list(leavesBehind),
  ];
  return `| ${cells.join(" | ")} |`;
}

function details(row: AgentQuirks): string[] {
  const {
    name,
    agent,
    versions,
    measured,
    args,
    logins,
    offers,
    probed,
    offeredButBroken,
    worksUnoffered,
    outsideSchema,
    rules,
    conformance,
    version2,
  } = row;
  const probedOffers = probed.filter((method) => offers.includes(probedCapabilities[method] ?? ""));
  const broken = offeredButBroken.filter(({ inSomeRuns }) => !inSomeRuns).map(({ feature }) => feature);
  const tried = new Set(probedOffers.map((method) => probedCapabilities[method]));
  return [
    "",
    `## ${name}`,
    "",
    `\`acp-kit chat ${agent}\` · measured: version ${measured.version} on ${measured.where}, ${measured.on} · applies to versions ${versions}`,
    "",
    "| property | value |",
    "| --- | --- |",
    ...[
      `| arguments | ${code(args)} |`,
      `| methods tried | ${probed.length === 0 ? "none: no session could be opened" : code(probed)} |`,
      `| advertised, works | ${code(probedOffers.filter((method) => !broken.includes(method)))} |`,
      `| advertised, fails | ${quirks(offeredButBroken)} |`,
      `| advertised, not tried | ${code(offers.filter((path) => !tried.has(path)))} |`,
      `| not advertised, works | ${quirks(worksUnoffered)} |`,
      `| methods and updates outside the schema | ${code(outsideSchema)} |`,
      `| compatibility rules that the client applies | ${code(rules)} |`,
      `| login methods | ${logins.length === 0 ? "none" : logins.map(({ id, kind }) => `\`${id}\` (${kind})`).join(", ")} |`,
      ...version2Rows(version2),
      `| broken rules | ${conformance === undefined ? "not run" : list(conformance.breaks)} |`,
    ].filter((row) => !row.endsWith("| none |")),
  ];
}

function version2Rows(version2: AgentQuirks["version2"]): string[] {
  if (!version2) return [`| version 2 | ${version2 === null ? "no: the agent chooses version 1" : "not measured"} |`];
  const { offers, probed, offeredButBroken, outsideSchema, onCancel } = version2;
  const broken = new Set(offeredButBroken.map(({ feature }) => feature));
  return [
    `| version 2: advertised | ${code(offers)} |`,
    `| version 2: works | ${code(probed.filter((method) => !broken.has(method)))} |`,
    `| version 2: fails | ${quirks(offeredButBroken)} |`,
    `| version 2: methods and updates outside the schema | ${code(outsideSchema)} |`,
    `| version 2: on cancel | \`${onCancel}\` |`,
  ];
}

/** Lists every compatibility rule with its measurements. One without names the agents for which it was written. */
function ruleTable(): string[] {
  return [
    "## Compatibility rules",
    "",
    "The client converts or reports these deviations from the specification.",
    "",
    "| rule | deviation | measured in | seen in |",
    "| --- | --- | --- | --- |",
    ...Object.entries(dialectRules).map(
      ([rule, { description, rows, seenIn }]) =>
        `| \`${rule}\` | ${description} | ${rows.length === 0 ? "no measured agent" : rows.join(", ")} | ${seenIn} |`,
    ),
  ];
}

function anchor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function code(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map((text) => `\`${text}\``).join(", ");
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.join(", ");
}

function quirkText({ feature, observed, inSomeRuns }: FeatureQuirk): string {
  return `\`${feature}\`: ${observed}${inSomeRuns ? " in some runs" : ""}`;
}

function quirks(found: readonly FeatureQuirk[]): string {
  return found.length === 0 ? "none" : found.map(quirkText).join("; ");
}
