import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { Output } from "../../output.js";
import { Screen } from "./screen.js";

/** Erases what is below, never from the top left corner. */
const clear = " ␛[0J\r␛[K";

/** A screen, and what is written to its terminal. */
function screen(columns = 20, rows = 10) {
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
    screen: new Screen(new Output(stream, {})),
    written: () => {
      const all = text;
      text = "";
      return all.replaceAll("\u001b", "␛");
    },
  };
}

it("writes what stays above what is drawn again", () => {
  const { screen: drawn, written } = screen();
  drawn.draw(["one"], { lines: ["a", "b"] });
  expect(written()).toContain("one\r\na\r\nb");
  drawn.draw(["two"], { lines: ["c"] });
  expect(written()).toContain(`\r␛[1A${clear}two\r\nc`); // up to the first line, erase, write
});

it("writes nothing when nothing has changed", () => {
  const { screen: drawn, written } = screen();
  drawn.draw([], { lines: ["a"], cursor: { row: 0, column: 1 } });
  written();
  drawn.draw([], { lines: ["a"], cursor: { row: 0, column: 1 } });
  expect(written()).toBe("");
});

it("puts the cursor where it belongs, and goes up from there the next time", () => {
  const { screen: drawn, written } = screen();
  drawn.draw([], { lines: ["a", "b", "c"], cursor: { row: 1, column: 1 } });
  expect(written()).toContain("a\r\nb\r\nc\r␛[1A␛[1C␛[?25h");
  drawn.draw([], { lines: ["d"] });
  expect(written()).toContain(`\r␛[1A${clear}d`);
});

it("finds its first line when the terminal has become narrower and has wrapped it", () => {
  const { screen: drawn, stream, written } = screen(60);
  drawn.draw([], { lines: ["x".repeat(50), "y"] });
  written();
  stream.columns = 25;
  drawn.draw([], { lines: ["z"] });
  expect(written()).toContain(`\r␛[2A${clear}`);
});

it("is never wider or taller than the terminal: the last lines are seen", () => {
  const { screen: drawn, written } = screen(20, 6);
  drawn.draw([], { lines: ["1", "2", "3", "4", "5", "6", "w".repeat(40)] });
  expect(written()).toContain(`\r3\r\n4\r\n5\r\n6\r\n${"w".repeat(18)}…`);
});

it("gives the terminal back as it was", () => {
  const { screen: drawn, written } = screen();
  drawn.open();
  expect(written()).toBe("␛[?2004h");
  drawn.draw([], { lines: ["a"] });
  written();
  drawn.close();
  expect(written()).toBe(`\r${clear}␛[?25h␛[?2004l`);
});
