/** Functions that style a text for the terminal. The text must be cleaned: see `cleanText`. */
export interface Paint {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  strike(text: string): string;
  inverse(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

/**
 * Creates the functions that style text. Without colours (pipes, `NO_COLOR`, `TERM=dumb`) they return the text
 * unchanged. `styleText` of Node is not used, because newer versions of it read the process's own streams.
 */
export function createPaint(enabled: boolean): Paint {
  const style =
    (open: number, close: number) =>
    (text: string): string =>
      enabled && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    enabled,
    bold: style(1, 22),
    dim: style(2, 22),
    italic: style(3, 23),
    underline: style(4, 24),
    strike: style(9, 29),
    inverse: style(7, 27),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    blue: style(34, 39),
    magenta: style(35, 39),
    cyan: style(36, 39),
  };
}
