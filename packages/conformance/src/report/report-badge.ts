import { escapeMarkup } from "./escape.js";
import type { ConformanceReport, ReportVerdict } from "./report.js";

const colours: Readonly<Record<ReportVerdict, string>> = {
  conformant: "#1a7f37",
  "not conformant": "#cf222e",
  inconclusive: "#9a6700",
};

/** Formats a report as an SVG badge for a README, 20 pixels high: the protocol's version, and the verdict. The badge uses no scripts, fonts or network. */
export function reportBadge(report: ConformanceReport): string {
  const [label, text] = ["ACP v1", report.verdict];
  const [left, right] = [widthOf(label), widthOf(text)];
  const colour = colours[report.verdict];
  const title = escapeMarkup(`${label}: ${text}, rules ${report.made.rules}, ${report.startedAt.slice(0, 10)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}"><title>${title}</title><rect width="${left + right}" height="20" rx="3" fill="#555"/><rect x="${left}" width="${right}" height="20" rx="3" fill="${colour}"/><g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${text}</text></g></svg>\n`;
}

/** Returns a width in pixels that is enough for the text in any sans-serif font of 11 pixels. */
function widthOf(text: string): number {
  return Math.round(text.length * 6.8 + 12);
}
