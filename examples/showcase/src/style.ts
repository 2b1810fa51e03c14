import { stdout } from "node:process";

/** Whether to write colours: on a terminal unless `NO_COLOR` is set, and always if `FORCE_COLOR` is set. */
const coloured = process.env.NO_COLOR ? false : process.env.FORCE_COLOR ? true : stdout.isTTY === true;

type Style = (text: string) => string;
const style = (open: number, close: number): Style => {
  return (text) => (coloured && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text);
};

export const bold: Style = style(1, 22);
export const dim: Style = style(2, 22);
export const italic: Style = style(3, 23);
export const red: Style = style(31, 39);
export const green: Style = style(32, 39);
export const yellow: Style = style(33, 39);
export const blue: Style = style(34, 39);
export const magenta: Style = style(35, 39);
export const cyan: Style = style(36, 39);

/** The number of columns to write: at most the width of the terminal, and not too many to read. */
export function columns(): number {
  return Math.min(Math.max(stdout.columns ?? 88, 40), 100);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\u001b\[[0-9;]*m/g;

/** Returns the number of columns of a text. Wide characters take two columns, combining marks take none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(escapes, "")) {
    if (/\p{Mark}|\u200b|\u200c|\u200d/u.test(character)) continue;
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u.test(
      character,
    )
      ? 2
      : 1;
  }
  return width;
}

/** Cuts a text to a width and adds an ellipsis. The text must not contain escape sequences. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Replaces control characters by symbols, because text of an agent must not move the cursor or change colours. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds the control characters to replace
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "␡";
  });
}
