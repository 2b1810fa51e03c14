/**
 * Parses JSON with comments and trailing commas, the format of the settings of many editors. The positions in the
 * messages of errors are those in `text`.
 *
 * @throws {SyntaxError} when the text is not valid.
 */
export function parseJsonWithComments(text: string): unknown {
  return JSON.parse(withoutTrailingCommas(withoutComments(text)));
}

/** Removes comments in linear time, but not inside strings. */
function withoutComments(text: string): string {
  let out = "";
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const [char, next] = [text[at], text[at + 1]];
    if (char === '"') at = endOfString(text, at);
    else if (char === "/" && (next === "/" || next === "*")) {
      out += text.slice(from, at);
      const end = next === "/" ? text.indexOf("\n", at) : text.indexOf("*/", at + 2);
      from = end < 0 ? text.length : next === "/" ? end : end + 2;
      out += text.slice(at, from).replace(/[^\n]/g, " ");
      at = from;
    } else at += 1;
  }
  return out + text.slice(from);
}

function withoutTrailingCommas(text: string): string {
  let out = "";
  let from = 0;
  let comma = -1; // the position of the last comma, while only white space has followed it
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? "";
    if (char === '"') {
      comma = -1;
      at = endOfString(text, at);
      continue;
    }
    if (char === ",") comma = at;
    else if ((char === "}" || char === "]") && comma >= 0) {
      out += `${text.slice(from, comma)} `;
      from = comma + 1;
      comma = -1;
    } else if (!/\s/.test(char)) comma = -1;
    at += 1;
  }
  return out + text.slice(from);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
