import { stripEscapes } from "./chat/text/strip-escapes.js";

/** Aligns rows in columns, two spaces apart. Colour sequences have no width. The last column isn't padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      if (index < row.length - 1) widths[index] = Math.max(widths[index] ?? 0, width(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index < row.length - 1 ? cell + " ".repeat((widths[index] ?? 0) - width(cell)) : cell))
      .join("  ")
      .trimEnd(),
  );
}

function width(text: string): number {
  return stripEscapes(text).length;
}
