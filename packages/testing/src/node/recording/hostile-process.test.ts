import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { deepJson } from "../../../test/hostile.js";
import { readRecording } from "../../recording/read-recording.js";
import { recorder } from "../../recording/recorder.js";
import { memorySink, type RecordingSink } from "../../recording/sink.js";
import { recordProcess } from "./record-process.js";

/** An agent that echoes its input, recorded into `sink`. */
async function echoed(input: string, sink: RecordingSink) {
  const tape = recorder({ in: "between", sink });
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const { ended } = recordProcess({
    recorder: tape,
    command: process.execPath,
    args: ["-e", "process.stdin.pipe(process.stdout)"],
    ...{ stdin, stdout, stderr },
  });
  const output = text(stdout);
  stdin.end(input);
  const [said, exit] = await Promise.all([output, ended]);
  return { said, exit, tape };
}

describe("bytes pass unchanged, even if they can't be recorded:", () => {
  it.each([
    [
      "the repeated prefix of a token",
      `{"jsonrpc":"2.0","method":"m","params":{"text":"${"eyJ-".repeat(200_000)}"}}\n`,
    ],
    ["deep params", `{"jsonrpc":"2.0","id":1,"method":"m","params":${deepJson(10_000)}}\n`],
    ["a request named constructor", '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{}}\n'],
    ["an oversized line with a control character for an id", `{"id":"\u0001","x":"${"x".repeat(9_000_000)}"}\n`],
  ])("hostile.pass-through: %s", { timeout: 60_000 }, async (_, line) => {
    const sink = memorySink();
    const input = `${line}{"jsonrpc":"2.0","method":"last"}\n`;
    const { said, exit, tape } = await echoed(input, sink);
    expect(said === input).toBe(true);
    expect(exit.exitCode).toBe(0);
    expect(tape.failure).toBeUndefined();
    const { entries, problems } = readRecording(sink.text());
    expect(problems).toEqual([]);
    const last = entries.filter((entry) => entry.kind === "message" && JSON.stringify(entry.message).includes("last"));
    expect(last).toHaveLength(2);
  });

  it("hostile.pass-through: the disk is full", async () => {
    const sink = {
      write(): void {
        throw new Error("ENOSPC: no space left on device");
      },
    };
    const { said, exit, tape } = await echoed("a\nb\n", sink);
    expect(said).toBe("a\nb\n");
    expect(exit.exitCode).toBe(0);
    expect(tape.failure?.message).toContain("ENOSPC");
  });
});
