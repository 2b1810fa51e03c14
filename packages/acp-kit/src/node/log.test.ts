import { expect, it } from "vitest";
import type { Host } from "./host.js";
import { createLog } from "./log.js";

it("writes no escape sequences of a server, to a terminal or a file", () => {
  for (const isTerminal of [true, false]) {
    const lines: string[] = [];
    const plain = (text: string): string => text;
    const colours = { red: plain, yellow: plain, dim: plain, enabled: false };
    const stderr = { isTerminal, colours, line: (text: string) => lines.push(text) };
    const log = createLog({ stdout: { isTerminal, isMidLine: false }, stderr } as unknown as Host, "debug");
    log.error("refused: \u001b[2J\u001b]52;c;aGk=\u0007\u009b31m no\nnext");
    expect(lines).toEqual(["error: refused:  no\nnext"]);
  }
});
