/**
 * Escape sequences of ECMA-48 and xterm: strings with their terminator, sequences of the cursor and of colours, and all others that
 * begin with an escape. A string ends at the next control character, so that no text is read twice, however many strings don't end.
 */
const sequences: RegExp = new RegExp(
  [
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[ -/]*[0-OQ-WYZ\\${"`"}-~]`,
  ].join("|"),
  "g",
);

/**
 * Text without its escape sequences. An introducer of one that is not whole stays: it is a control character. In linear time, which
 * `stripVTControlCharacters` of Node 24 is not: strings that don't end cost it the square of their number.
 */
export function stripEscapes(text: string): string {
  return text.replace(sequences, "");
}
