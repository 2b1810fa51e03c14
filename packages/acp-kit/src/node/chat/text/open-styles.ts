/** Returns the code that ends the style `code`: 30–37, 38, 90–97 colour the text; 40–48, 100–107 its background. */
function endOf(code: number): number | undefined {
  if (code === 1 || code === 2) return 22;
  if ([3, 4, 7, 9].includes(code)) return code + 20;
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  return undefined;
}

/** The active styles at a position of a line. They can end with a row and start again in the next row. */
export class OpenStyles {
  /** The active styles by their codes. All text colours share one key, and all background colours another. */
  readonly #open = new Map<number, { readonly sequence: string; readonly end: number }>();

  /** Records a sequence that sets a style. Of a sequence with several codes, only the first code counts. */
  see(sequence: string): void {
    const code = Number.parseInt(sequence.slice(2), 10) || 0;
    const end = endOf(code);
    if (code === 0) this.#open.clear();
    else if (end !== undefined) this.#open.set(end === 39 || end === 49 ? end : code, { sequence, end });
    else for (const [key, style] of this.#open) if (style.end === code) this.#open.delete(key);
  }

  /** The sequence that ends all active styles. */
  get ends(): string {
    return [...new Set([...this.#open.values()].map(({ end }) => end))].map((end) => `\u001b[${end}m`).join("");
  }

  /** The sequence that starts all active styles again. */
  get begins(): string {
    return [...this.#open.values()].map(({ sequence }) => sequence).join("");
  }
}
