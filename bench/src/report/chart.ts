import { readable } from "./render.js";

/** A group of bars: the measurement, and each side's figure. */
export interface Bars {
  readonly label: string;
  readonly values: readonly { readonly side: string; readonly value: number }[];
}

const colours: Readonly<Record<string, string>> = {
  "acp-kit": "#2563eb",
  "official SDK": "#d97706",
  "bare limit": "#94a3b8",
};

/** Renders a bar chart for light and dark pages. Each group has its own scale. */
export function barChart(title: string, unit: string, groups: readonly Bars[]): string {
  const bar = 18;
  const left = 36 + 7 * Math.max(...groups.map(({ label }) => label.length));
  const width = left + 570;
  const lines: string[] = [];
  let y = 56;
  for (const { label, values } of groups) {
    const most = Math.max(...values.map(({ value }) => value));
    lines.push(
      `<text x="${left - 12}" y="${y + (values.length * bar) / 2 + 4}" text-anchor="end" class="label">${escaped(label)}</text>`,
    );
    for (const { side, value } of values) {
      const length = Math.max(1, (value / most) * (width - left - 190));
      lines.push(
        `<rect x="${left}" y="${y + 2}" width="${length.toFixed(1)}" height="${bar - 4}" rx="2" fill="${colours[side] ?? "#64748b"}"/>`,
      );
      lines.push(
        `<text x="${left + length + 8}" y="${y + bar - 5}" class="value">${escaped(`${readable(value)} ${unit}  ${side}`)}</text>`,
      );
      y += bar;
    }
    y += 16;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 8}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1e293b }
.title { font-size: 16px; font-weight: 600 }
.value { font-size: 12px; fill: #475569 }
.page { fill: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #e2e8f0 } .value { fill: #94a3b8 } .page { fill: #0f172a } }
</style>
<rect class="page" width="${width}" height="${y + 8}" rx="8"/>
<text x="24" y="32" class="title">${escaped(title)}</text>
${lines.join("\n")}
</svg>
`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
