import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { fakeHost } from "../../test/fake-host.js";
import { createColours } from "./colours.js";
import type { Examination } from "./doctor/examination.js";
import { examinationText } from "./doctor/examination-text.js";
import { createLog } from "./log.js";
import { Output } from "./output.js";
import { runWriter } from "./run/run-format.js";

/** Clears the screen, sets the clipboard, moves the cursor. */
const hostile = "\u001b[2J\u001b]52;c;cm0gLXJm\u0007\u009b1A";

function runText(isTTY: boolean, ...parts: readonly string[]): string {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const writer = runWriter("text", new Output(Object.assign(stream, { isTTY }), {}), 0);
  for (const part of parts) writer.text?.(part);
  return text;
}

describe("escape sequences of an agent or a registry", () => {
  it("are removed from the log of a terminal, but not colours", () => {
    const host = fakeHost({ terminal: true });
    const log = createLog(host, "debug");
    for (const level of ["error", "warn", "info", "debug"] as const)
      log[level](`before${hostile} \u001b[32mafter\u001b[39m`);
    const lines = host.err().trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toContain("before \u001b[32mafter\u001b[39m");
  });

  it("are removed from a log that is not a terminal", () => {
    const host = fakeHost();
    createLog(host, "info").info(`before${hostile} after`);
    expect(host.err()).toBe("before after\n");
  });

  it("are removed from the report of doctor", () => {
    const agent = { name: `small${hostile}`, title: `Small\n${hostile}`, version: hostile };
    const examination = {
      command: ["small"],
      startupMs: 1,
      protocolVersion: 1,
      agent,
      capabilities: {},
      authMethods: [{ id: hostile, name: hostile, kind: "agent" }],
      session: { state: "failed", error: hostile },
      oddities: [{ rule: "r", message: hostile, count: 1 }],
      exit: null,
    } as const satisfies Examination;
    const text = examinationText(examination, createColours(false));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(text).toContain("Small");
  });

  it("are removed from the text of run, on a terminal and in a pipe, also when one is split", () => {
    expect(runText(true, `a${hostile}b\u001b`, "[2Jc\n")).toBe("ab[2Jc\n");
    expect(runText(false, `a${hostile}b\u001b`, "[2Jc\n")).toBe("ab[2Jc\n");
  });
});
