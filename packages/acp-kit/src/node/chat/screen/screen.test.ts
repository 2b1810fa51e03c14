import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { Output } from "../../output.js";
import { Screen } from "./screen.js";

/** Erases what is below, never from the top left corner. */
const clear = " ␛[0J\r␛[K";

/** A screen, and what is written to its terminal. */
function screen(columns = 20, rows = 10, env = {}) {
  let text = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const stream = Object.assign(sink, { isTTY: true, columns, rows });
  return {
    stream,
    screen: new Screen(new Output(stream, env)),
    written: () => {
      const all = text;
      text = "";
      return all.replaceAll("\u001b", "␛");
    },
  };
}

it("writes permanent lines above the live area", () => {
  const { screen: drawn, written } = screen();
  drawn.draw(["one"], { lines: ["a", "b"] });
  expect(written()).toContain("one\r\n␛[?7la\r\nb␛[?7h");
  drawn.draw(["two"], { lines: ["c"] });
  expect(written()).toContain(`\r␛[1A${clear}two\r\n␛[?7lc`); // up to the first line, erase, write
});

it("writes nothing when nothing has changed", () => {
  const { screen: drawn, written } = screen();
  drawn.draw([], { lines: ["a"], cursor: { row: 0, column: 1 } });
  written();
  drawn.draw([], { lines: ["a"], cursor: { row: 0, column: 1 } });
  expect(written()).toBe("");
});

it("places the cursor, and draws the next frame from the first line of the live area", () => {
  const { screen: drawn, written } = screen();
  drawn.draw([], { lines: ["a", "b", "c"], cursor: { row: 1, column: 1 } });
  expect(written()).toContain("a\r\nb\r\nc␛[?7h\r␛[1A␛[1C␛[?25h");
  drawn.draw([], { lines: ["d"] });
  expect(written()).toContain(`\r␛[1A${clear}␛[?7ld`);
});

it("finds its first line when the terminal has become narrower and has wrapped it", () => {
  const { screen: drawn, stream, written } = screen(60);
  drawn.draw([], { lines: ["x".repeat(50), "y"] });
  written();
  stream.columns = 25;
  drawn.draw([], { lines: ["z"] });
  expect(written()).toContain(`\r␛[2A${clear}`);
});

it("finds its first line by the cursor that is hidden there, in whatever way the terminal has wrapped the lines", () => {
  const { screen: drawn, stream, written } = screen(60, 10, { NO_COLOR: "1" });
  drawn.draw([], { lines: ["", "x".repeat(50), "› ab"], cursor: { row: 2, column: 3 }, isParked: true });
  expect(written()).toContain(`␛[?7l\r\n${"x".repeat(50)}\r\n› ab␛[?7h\r␛[2A␛[?2026l`); // hidden, and at the top
  for (const columns of [25, 60, 10]) {
    stream.columns = columns; // or the terminal has changed, and has not reported it yet
    drawn.draw([], { lines: ["", `${columns}`, "› ab"], cursor: { row: 2, column: 3 }, isParked: true });
    expect(written()).toContain(`␛[?25l\r${clear}␛[?7l\r\n${columns}`);
  }
  drawn.draw([], { lines: ["", "y", "› ab"], cursor: { row: 2, column: 3 } });
  expect(written()).toContain(`␛[?25l\r${clear}␛[?7l\r\ny\r\n› ab␛[?7h\r␛[3C␛[?25h`);
});

it("paints the cursor at its place while the terminal's own cursor is hidden at the top", () => {
  const paints = (line: string, column: number): string => {
    const { screen: drawn, written } = screen(20, 10, { FORCE_COLOR: "1" });
    drawn.draw([], { lines: [line], cursor: { row: 0, column }, isParked: true });
    return /␛\[\?7l(.*)␛\[\?7h/.exec(written())?.[1] ?? "";
  };
  expect(paints("› ab", 3)).toBe("› a␛[7mb␛[27m");
  expect(paints("› ab", 4)).toBe("› ab␛[7m ␛[27m");
  expect(paints("\u001b[36m›\u001b[39m 文字", 4)).toBe("␛[36m›␛[39m 文␛[7m字␛[27m");
});

it("draws no area wider or taller than the terminal, and shows the last lines", () => {
  const { screen: drawn, written } = screen(20, 6);
  drawn.draw([], { lines: ["1", "2", "3", "4", "5", "6", "w".repeat(40)] });
  expect(written()).toContain(`\r␛[?7l3\r\n4\r\n5\r\n6\r\n${"w".repeat(18)}…`);
});

it("restores the terminal's modes", () => {
  const { screen: drawn, written } = screen();
  drawn.open();
  expect(written()).toBe("␛[?2004h");
  drawn.draw([], { lines: ["a"] });
  written();
  drawn.close();
  expect(written()).toBe(`\r${clear}␛[?25h␛[?2004l`);
});
