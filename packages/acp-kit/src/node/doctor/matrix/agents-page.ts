import type { AgentQuirks, FeatureQuirk } from "@acp-kit/registry";

/** The page `docs/agents.md`, generated from the measured rows alone. */
export function agentsPage(rows: readonly AgentQuirks[]): string {
  return `${[
    "# Agents, measured",
    "",
    "How agents behave, measured by `acp-kit doctor --matrix` and not taken from their documentation. Each agent ran offline with a scripted model,",
    "in a home of its own. The data is [`@acp-kit/registry/quirks`](../packages/registry/README.md#quirks); this page is generated from it.",
    "",
    "| agent | version | on | conformance | on cancel | on end of input | login needed | leaves running |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(summary),
    ...rows.flatMap(details),
    "",
    "## What the columns mean",
    "",
    "- **conformance**: see also the [results of whole runs](conformance-report.md). It is the verdict of `acp-kit conformance agent` for the scenarios of handshake, sessions, text turns and cancelling. The ids of broken",
    "  rules are those of [`@acp-kit/conformance`](../packages/conformance/README.md).",
    "- **on cancel**: how a turn ends that is cancelled while it streams: its stop reason, or its error; `not measured`: it sent no text in time.",
    "- **on end of input**: whether the process exits within ten seconds after its standard input ends, and with which code.",
    "- **login needed**: whether a session could not be opened with the key of a model in the environment.",
    "",
    "To measure an agent: `acp-kit doctor --matrix <name>`. To add a row: `pnpm agents:measure <name>`, then review the difference and commit it.",
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
    offeredButBroken,
    worksUnoffered,
    outsideSchema,
    rules,
    conformance,
  } = row;
  return [
    "",
    `## ${name}`,
    "",
    `\`acp-kit chat ${agent}\` · measured: ${measured.version} on ${measured.where}, ${measured.on} · holds for ${versions}`,
    "",
    "| what | found |",
    "| --- | --- |",
    `| arguments | ${code(args)} |`,
    `| offers | ${code(offers)} |`,
    `| offered, but does not work | ${quirks(offeredButBroken)} |`,
    `| works, but is not offered | ${quirks(worksUnoffered)} |`,
    `| outside the schema | ${code(outsideSchema)} |`,
    `| compatibility rules that the client needs | ${code(rules)} |`,
    `| login methods | ${logins.length === 0 ? "–" : logins.map(({ id, kind }) => `\`${id}\` (${kind})`).join(", ")} |`,
    `| breaks | ${conformance === undefined || conformance.breaks.length === 0 ? "–" : conformance.breaks.join(", ")} |`,
  ];
}

function anchor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function code(texts: readonly string[]): string {
  return texts.length === 0 ? "–" : texts.map((text) => `\`${text}\``).join(", ");
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? "–" : texts.join(", ");
}

function quirks(found: readonly FeatureQuirk[]): string {
  return found.length === 0 ? "–" : found.map(({ feature, observed }) => `\`${feature}\`: ${observed}`).join("; ");
}
