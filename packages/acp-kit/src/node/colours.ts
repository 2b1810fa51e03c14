/** Styles text for a terminal. If colours are off, each function returns the text unchanged. */
export interface Colours {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/**
 * Returns whether output to a stream has colours. By default it has colours if the stream is a terminal, unless
 * `NO_COLOR` is set (https://no-color.org) or `TERM` is `dumb`. `FORCE_COLOR` also turns colours on for pipes, and
 * `FORCE_COLOR=0` turns colours off.
 */
export function wantsColours(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}

/** Creates the functions that style text for a stream. */
export function createColours(enabled: boolean): Colours {
  const style =
    (open: number, close: number) =>
    (text: string): string =>
      enabled ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    enabled,
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
