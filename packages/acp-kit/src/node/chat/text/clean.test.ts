import { describe, expect, it } from "vitest";
import { cleanLine, cleanOutput, cleanText, withoutEscapes } from "./clean.js";

const esc = "\u001b";

describe("removes everything but characters from the texts of an agent", () => {
  it.each([
    ["a title of the window", `a${esc}]0;owned\u0007b`, "ab"],
    ["the clipboard", `a${esc}]52;c;cm0gLXJm${esc}\\b`, "ab"],
    ["the cursor, and erasing", `a${esc}[2J${esc}[1;1Hb`, "ab"],
    ["another screen", `a${esc}[?1049hb`, "ab"],
    ["colours", `${esc}[31mred${esc}[0m`, "red"],
    ["a reset of the terminal", `a${esc}cb`, "ab"],
    ["sequences of one byte", "a\u009b2Jb", "ab"],
    ["bells, backspaces, nulls", "a\u0007\u0008\u0000b", "ab"],
    ["text that is turned around", "a\u202eb\u2066c", "abc"],
  ])("%s", (_name, sent, shown) => expect(cleanText(sent)).toBe(shown));

  it("removes an incomplete escape sequence", () => {
    for (const cut of [`a${esc}`, `a${esc}[`, `a${esc}[3`, `a${esc}]0;own`]) expect(cleanText(cut)).not.toContain(esc);
  });

  it("keeps lines with any line end, and joins the lines of a title", () => {
    expect(cleanText("a\r\nb\rc\u2028d\te")).toBe("a\nb\nc\nd    e");
    expect(cleanLine(" a\n\n  b ")).toBe("a b");
  });
});

describe("the output of a command", () => {
  it("keeps colours if the terminal has them, and removes all other sequences", () => {
    const output = `${esc}[1;32mok${esc}[0m${esc}[2K${esc}]0;x\u0007 done\u0007`;
    expect(cleanOutput(output, true)).toBe(`${esc}[1;32mok${esc}[0m done`);
    expect(cleanOutput(output, false)).toBe("ok done");
  });

  it("applies carriage returns and backspaces", () => {
    expect(cleanOutput("10 %\r50 %\r100 %\nabc\b\bX\r\n", false)).toBe("100 %\naX\n");
  });
});

it("text.whole-characters: cuts a long line between characters, and leaves out the half that a stream ends with", () => {
  const bulb = "\u{1f4a1}";
  expect(cleanLine(`a${bulb.repeat(900)}`)).toBe(`a${bulb.repeat(249)} … 1302 more characters`);
  expect(cleanText(`done ${bulb[0]}`)).toBe("done ");
});

it("removes escape sequences from a text for a pipe, and keeps its tabs and line ends", () => {
  expect(withoutEscapes("a\tb\r\nc \u001b[2J\u001b]0;title\u0007\u009b31m\u0000d")).toBe("a\tb\r\nc d");
  expect(["\u001b", "[2Jx"].map(withoutEscapes).join("")).toBe("[2Jx");
});
