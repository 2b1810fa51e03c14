import { expect, it } from "vitest";
import { quote } from "./quote.js";

it("escapes characters that a terminal would obey or hide, and cuts long texts", () => {
  expect(quote('Welcome to "my" agent\n', 80)).toBe('"Welcome to \\"my\\" agent\\n"');
  expect(quote("\u001b[31mred\u009b1m\u202e\ufeff", 80)).toBe('"\\u001b[31mred\\u009b1m\\u202e\\ufeff"');
  expect(quote("a".repeat(1_000), 10)).toBe('"aaaaaaaaa…"');
});
