import { expect, test } from "vitest";
import { detachedText } from "./detached-text.js";

const daemon = (pid: number, command = "sleep") => ({ pid, command, ended: false });

test("one line names the processes by program and pid", () => {
  expect(detachedText([daemon(7, "/usr/bin/gpg-agent")])).toBe(
    "The agent left a process running: /usr/bin/gpg-agent (pid 7)",
  );
  expect(detachedText([daemon(7), daemon(8, "sh")])).toBe(
    "The agent left 2 processes running: sleep (pid 7), sh (pid 8)",
  );
});

test("the line is one line of plain text, however many processes there are and whatever their names", () => {
  const hostile = Array.from({ length: 1_000 }, (_, pid) => daemon(pid, `a\n\u001b[2Jb${"x".repeat(200)}`));
  const line = detachedText(hostile);
  expect(/\p{Cc}/u.test(line)).toBe(false);
  expect(line).toMatch(/, 990 more$/);
  expect(line.length).toBeLessThan(3_000);
});
