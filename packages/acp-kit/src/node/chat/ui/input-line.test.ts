import { describe, expect, it } from "vitest";
import type { Completion } from "../input/complete.js";
import { History } from "../input/history.js";
import { renderInput } from "../input/input-view.js";
import type { Key } from "../input/keyboard.js";
import { InputLine } from "./input-line.js";

const key = (name: string, more: Partial<Key> = {}): Key => ({
  name,
  ctrl: false,
  meta: false,
  shift: false,
  text: "",
  ...more,
});
const typed = (line: InputLine, text: string): void => {
  for (const char of text) line.press(key(char, { text: char }));
};

describe("the input line", () => {
  it("edits by character, also if the character has several UTF-16 units, by word and by line", () => {
    const line = new InputLine();
    line.press(key("paste", { text: "one two 👨‍👩‍👧" }));
    line.press(key("backspace"));
    expect(line.text).toBe("one two ");
    line.press(key("w", { ctrl: true }));
    expect(line.text).toBe("one ");
    line.press(key("a", { ctrl: true }));
    typed(line, "x");
    expect(line.text).toBe("xone ");
    line.press(key("k", { ctrl: true }));
    expect(line.edited).toEqual({ text: "x", cursor: 1 });
  });

  it("begins a new line with a backslash and Enter, with Alt-Enter and with Ctrl-J; Enter alone submits the input", () => {
    const line = new InputLine(new History());
    typed(line, "a\\");
    expect(line.press(key("return"))).toBe("edited");
    typed(line, "b");
    line.press(key("return", { meta: true }));
    line.press(key("enter"));
    expect(line.text).toBe("a\nb\n\n");
    expect(line.press(key("return"))).toBe("entered");
  });

  it("submits the answer to a question that ends in a backslash", () => {
    const answer = new InputLine();
    typed(answer, "C:\\");
    expect(answer.press(key("return"))).toBe("entered");
    expect(answer.text).toBe("C:\\");
  });

  it("moves between lines to the beginning of a character, and not into it", () => {
    const line = new InputLine();
    line.press(key("paste", { text: "a👨‍👩‍👧\nbc" }));
    line.press(key("up"));
    expect(line.edited.cursor).toBe(1);
    line.press(key("end"));
    line.press(key("down"));
    expect(line.edited.cursor).toBe(line.text.length);
  });

  it("edits an input that begins with an empty line", () => {
    const line = new InputLine(new History(["earlier"]));
    line.press(key("paste", { text: "\nb" }));
    line.press(key("up"));
    expect(line.edited.cursor).toBe(0);
    line.press(key("u", { ctrl: true }));
    line.press(key("home"));
    expect(line.edited).toEqual({ text: "\nb", cursor: 0 });
    line.press(key("up"));
    expect(line.text).toBe("earlier");
  });

  it("inserts pasted lines without submitting them", () => {
    const line = new InputLine();
    line.press(key("paste", { text: "one\ntwo" }));
    expect(line.text).toBe("one\ntwo");
  });

  it("moves through the lines of the input first, then through the history, and back to the unfinished input", () => {
    const line = new InputLine(new History(["first", "second"]));
    line.press(key("paste", { text: "a\nb" }));
    line.press(key("up"));
    expect(line.edited.cursor).toBe(1);
    line.press(key("up"));
    expect(line.text).toBe("second");
    line.press(key("up"));
    expect(line.text).toBe("first");
    line.press(key("down"));
    line.press(key("down"));
    expect(line.text).toBe("a\nb");
  });

  it("ends the input with Ctrl-D if the line is empty", () => {
    const line = new InputLine();
    expect(line.press(key("d", { ctrl: true }))).toBe("ended");
    typed(line, "a");
    expect(line.press(key("d", { ctrl: true }))).toBe("edited");
  });
});

describe("Tab", () => {
  const sources =
    (candidates: readonly string[]) =>
    (_text: string, cursor: number): Completion => ({
      start: 0,
      end: cursor,
      candidates: candidates.map((text) => ({ text })),
    });

  it("completes the text if there is only one candidate", () => {
    const line = new InputLine(undefined, sources(["/help"]));
    typed(line, "/h");
    line.press(key("tab"));
    expect(line.text).toBe("/help ");
  });

  it("inserts the common prefix of all candidates, then goes through the candidates, and back", () => {
    const line = new InputLine(undefined, sources(["/mode", "/model"]));
    typed(line, "/m");
    line.press(key("tab"));
    expect(line.text).toBe("/mode");
    line.press(key("tab"));
    line.press(key("tab"));
    expect([line.text, line.menu.at]).toEqual(["/model", 1]);
    line.press(key("tab", { shift: true }));
    expect(line.text).toBe("/mode");
  });
});

describe("the input as lines", () => {
  const options = { columns: 8, mark: "› ", rest: "  " };

  it("wraps lines and returns the position of the cursor, also between wide characters", () => {
    expect(renderInput({ text: "abcdefgh", cursor: 8 }, options)).toEqual({
      lines: ["› abcde", "  fgh"],
      row: 1,
      column: 5,
    });
    expect(renderInput({ text: "漢字漢字", cursor: 1 }, options)).toEqual({
      lines: ["› 漢字", "  漢字"],
      row: 0,
      column: 4,
    });
    expect(renderInput({ text: "a\n\nb", cursor: 2 }, options)).toEqual({
      lines: ["› a", "  ", "  b"],
      row: 1,
      column: 2,
    });
  });

  it("hides secrets, and shows the lines around the cursor of a long text", () => {
    expect(renderInput({ text: "abc", cursor: 3 }, { ...options, secret: true }).lines).toEqual(["› •••"]);
    const long = { text: "1\n2\n3\n4", cursor: 7 };
    expect(renderInput(long, { ...options, maxLines: 2 })).toMatchObject({ lines: ["  3", "  4"], row: 1 });
  });
});
