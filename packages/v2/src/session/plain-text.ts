const ESC = 0x1b;
const BEL = 0x07;

/** Control characters, but for those that divide lines and columns. */
const controls = /(?![\t\n\r])\p{Cc}/gu;

/**
 * Returns the output of a terminal as text: without escape sequences and other control characters, and without the
 * beginning of a line that a carriage return has overwritten.
 *
 * @see https://agentclientprotocol.com/protocol/v2/terminals
 */
export function plainText(output: string): string {
  const lines = withoutEscapes(output).replace(controls, "").split("\n").map(withoutOverwritten);
  if (lines.at(-1) === "") lines.pop();
  return lines.join("\n");
}

function withoutOverwritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

function withoutEscapes(text: string): string {
  let plain = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf("\u001b", at);
    if (start < 0) return plain + text.slice(at);
    plain += text.slice(at, start);
    at = endOfEscape(text, start + 1);
  }
}

/** Returns the index behind an escape sequence, whose kind is the character at `at`. */
function endOfEscape(text: string, at: number): number {
  let end = at + 1;
  if (text[at] === "[") {
    while (isBetween(text.charCodeAt(end), 0x20, 0x3f)) end += 1;
    return isBetween(text.charCodeAt(end), 0x40, 0x7e) ? end + 1 : end;
  }
  if (text[at] === "]") {
    while (end < text.length && text.charCodeAt(end) !== BEL && text.charCodeAt(end) !== ESC) end += 1;
    return end;
  }
  return text.charCodeAt(at) === ESC ? at : end;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}
