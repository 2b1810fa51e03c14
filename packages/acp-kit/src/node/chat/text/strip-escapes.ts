/**
 * Matches escape sequences of ECMA-48 and xterm: control strings (such as a window title) with their terminator,
 * sequences that control the cursor and colours, and all others that begin with an escape. The search for a terminator
 * ends at the next control character, so that no text is read twice.
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
 * Removes the escape sequences of a text. The first character of an incomplete sequence stays, because it is a control
 * character. Needs linear time, unlike `stripVTControlCharacters` of Node 24, which needs quadratic time for strings
 * without a terminator.
 */
export function stripEscapes(text: string): string {
  return text.replace(sequences, "");
}
