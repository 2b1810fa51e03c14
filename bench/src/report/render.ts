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
    "`pnpm --filter @acp-kit/bench report` writes this file; don't edit it. [report.json](report.json) also has the percentiles and the figures without a comparison, and [notes.md](notes.md) what was tried and decided.",
    `${date.slice(0, 10)}, commit ${commit}. ${processor}, ${cores} cores, ${memory}, ${system}, Node ${node}. ${Object.entries(
      versions,
    )
      .map(([name, version]) => `${name} ${version}`)
      .join(
        ", ",
      )}. Each figure is the median of ${rounds} interleaved rounds, each in a new process. The measurement took ${minutes.toFixed(1)} minutes.`,
    `**${met} of ${rows.length} goals are met.** The ratio behind another figure is the figure of acp-kit divided by it. The limit is the same work without JSON-RPC and validation: \`JSON.parse\`, \`JSON.stringify\` and newline splitting over the same pipe with batched writes.`,
    ...charts.map((chart) => `![${chart.replace(/\.svg$/, "")}](${chart})`),
    ...sections.map(section),
    "",
  ].join("\n\n");
}

/**
 * Renders a section. A row without a goal is left out if it has no comparison or is a percentile, and a column if it
 * has no figure and no goal.
 */
function section({ title, how, rows }: Section): string {
  const compares = ({ title, figures: { sdk, bare } }: Row): boolean =>
    (sdk ?? bare) !== undefined && !/: p\d+$/.test(title);
  const shown = rows.filter((row) => row.goal !== undefined || compares(row));
  const all = [["", "acp-kit", "SDK", "limit", "goal"], ...shown.map(line)];
  const columns = [0, 1, 2, 3, 4].filter((column) => column < 2 || all.slice(1).some((row) => row[column] !== ""));
  const widths = columns.map((column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number): boolean => column === 0 || column === 4;
  const [header = "", ...lines] = all.map((row) => {
    const cells = columns.map((column, index) => {
      const cell = row[column] ?? "";
      return isText(column) ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
    });
    return `| ${cells.join(" | ")} |`;
  });
  const rules = columns.map((column, index) => {
    const width = widths[index] ?? 0;
    return isText(column) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`;
  });
  return [`## ${title}`, how, [header, `| ${rules.join(" | ")} |`, ...lines].join("\n")].join("\n\n");
}

/** Returns the cells of a row: its title, the three figures, and the goal. */
function line({ title, unit, figures, goal }: Row): string[] {
  const { ours, sdk, bare } = figures;
  const value = (figure: number | undefined): string =>
    figure === undefined ? "" : `${readable(figure)} ${unit}`.trim();
  const compared = (other: number | undefined): string => {
    if (ours === undefined || other === undefined || other === 0) return value(other);
    return `${value(other)} (${readable(ours / other)}×)`;
  };
  const result = goal === undefined ? "" : `${goal.met ? "met" : "**missed**"}: ${goal.words}`;
  return [title, value(ours), compared(sdk), compared(bare), result];
}

/** Formats a number with three significant digits and thousands separators. */
export function readable(figure: number): string {
  if (!Number.isFinite(figure)) return "?";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(figure) || 1)));
  const rounded = digits > 0 ? figure.toFixed(Math.min(digits, 3)) : String(Math.round(figure));
  return Number(rounded).toLocaleString("en-US", { maximumFractionDigits: 3 });
}
