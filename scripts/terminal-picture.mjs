// Draws the screen of a terminal as SVG, with the colours of acp-kit's command line, for light and dark pages.
const colors = { 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta", 36: "cyan", 90: "gray" };
const cell = { width: 8.4, height: 20 };
const plain = { bold: false, dim: false, color: undefined };
const padding = 20;
const bar = 34;

/** Returns an SVG picture with a title bar, from the lines of a terminal with SGR escape sequences. */
export function terminalPicture(screen, { columns, title }) {
  const lines = screen.trimEnd().split("\n");
  const width = Math.ceil(columns * cell.width + 2 * padding);
  const height = bar + lines.length * cell.height + 2 * padding;
  const spansOf = spanReader();
  const rows = lines.map((line, row) => {
    const y = bar + padding + (row + 0.75) * cell.height;
    return spansOf(line).map(({ column, text, classes }) => {
      const style = classes.length > 0 ? ` class="${classes.join(" ")}"` : "";
      // With an explicit width, the columns are at the same place in every font.
      const length = `textLength="${round(text.length * cell.width)}" lengthAdjust="spacingAndGlyphs"`;
      return `<text x="${round(padding + column * cell.width)}" y="${round(y)}" ${length}${style}>${escaped(text)}</text>`;
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
svg { color-scheme: light dark; --back: #fff; --line: #d0d7de; --text: #1f2328; --dim: #59636e; --red: #cf222e; --green: #116329; --yellow: #7d4e00; --blue: #0969da; --magenta: #8250df; --cyan: #1b7c83 }
@media (prefers-color-scheme: dark) { svg { --back: #0d1117; --line: #3d444d; --text: #f0f6fc; --dim: #9198a1; --red: #ff7b72; --green: #56d364; --yellow: #e3b341; --blue: #79c0ff; --magenta: #d2a8ff; --cyan: #56d4dd } }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text); white-space: pre }
.bold { font-weight: 700 } .dim, .gray { fill: var(--dim) }
${["red", "green", "yellow", "blue", "magenta", "cyan"].map((name) => `.${name} { fill: var(--${name}) }`).join(" ")}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="var(--back)" stroke="var(--line)"/>
<path d="M0 ${bar}.5H${width}" stroke="var(--line)"/>
<text x="${width / 2}" y="22" text-anchor="middle" class="dim">${escaped(title)}</text>
${rows.flat().join("\n")}
</svg>
`;
}

/**
 * Returns a function that splits a line into spans of one style, each with its column. A style continues in the next
 * line.
 */
function spanReader() {
  let style = plain;
  return (line) => {
    const spans = [];
    let column = 0;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
    for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
      if (text === undefined) style = codes.split(";").map(Number).reduce(styled, style);
      else {
        const classes = [style.bold && "bold", style.dim && "dim", style.color].filter(Boolean);
        if (text.trim() !== "") spans.push({ column, text, classes });
        column += text.length;
      }
    }
    return spans;
  };
}

function styled(style, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: undefined };
  return { ...style, color: colors[code] ?? style.color };
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const round = (number) => Number(number.toFixed(1));
