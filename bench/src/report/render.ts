import type { Row, Section } from "./measure.js";

/** The machine and the versions of a measurement. */
export interface Environment {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
  readonly commit: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly minutes: number;
}

/** Renders the report. */
export function render(environment: Environment, sections: readonly Section[], charts: readonly string[]): string {
  const rows = sections.flatMap(({ rows }) => rows).filter(({ goal }) => goal !== undefined);
  const met = rows.filter(({ goal }) => goal?.met).length;
  const { date, processor, cores, memory, system, node, commit, versions, rounds, minutes } = environment;
  return [
    "# Bench report",
    "`pnpm --filter @acp-kit/bench report` writes this file; don't edit it. [notes.md](notes.md) has the notes: what was tried, and what was decided.",
    `${date.slice(0, 10)}, commit ${commit}. ${processor}, ${cores} cores, ${memory}, ${system}, Node ${node}. ${Object.entries(
      versions,
    )
      .map(([name, version]) => `${name} ${version}`)
      .join(
        ", ",
      )}. Each figure is the median of ${rounds} interleaved rounds, each in a new process. The measurement took ${minutes.toFixed(1)} minutes.`,
    `**${met} of ${rows.length} goals are met.** “× SDK” is the figure of acp-kit divided by that of the official SDK, “× limit” the figure of acp-kit divided by the bare limit: \`JSON.parse\`, \`JSON.stringify\` and newline splitting over the same pipe with batched writes, without JSON-RPC and validation.`,
    ...charts.map((chart) => `![${chart.replace(/\.svg$/, "")}](${chart})`),
    ...sections.map(section),
    "",
  ].join("\n\n");
}

function section({ title, how, rows }: Section): string {
  const header = ["", "× SDK", "× limit", "ours", "SDK", "limit", "goal", ""];
  const lines = rows.map(line);
  const widths = header.map((_, index) => Math.max(3, ...[header, ...lines].map((row) => row[index]?.length ?? 0)));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => (index === 0 || index > 5 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 || index > 5 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [`## ${title}`, how, [row(header), rule, ...lines.map(row)].join("\n")].join("\n\n");
}

function line({ title, unit, figures, goal }: Row): string[] {
  const { ours, sdk, bare } = figures;
  const value = (figure: number | undefined) => (figure === undefined ? "" : `${readable(figure)} ${unit}`.trim());
  const ratio = (other: number | undefined) =>
    ours === undefined || other === undefined || other === 0 ? "" : readable(ours / other);
  return [
    title,
    ratio(sdk),
    ratio(bare),
    value(ours),
    value(sdk),
    value(bare),
    goal?.words ?? "",
    goal === undefined ? "" : goal.met ? "met" : "**missed**",
  ];
}

/** Formats a number with three significant digits and thousands separators. */
export function readable(figure: number): string {
  if (!Number.isFinite(figure)) return "?";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(figure) || 1)));
  const rounded = digits > 0 ? figure.toFixed(Math.min(digits, 3)) : String(Math.round(figure));
  return Number(rounded).toLocaleString("en-US", { maximumFractionDigits: 3 });
}
