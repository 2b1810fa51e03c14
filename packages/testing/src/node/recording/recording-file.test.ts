import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Connection } from "@acp-kit/jsonrpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordingEntry } from "../../recording/format.js";
import { readRecording } from "../../recording/read-recording.js";
import { recorder } from "../../recording/recorder.js";
import { memorySink } from "../../recording/sink.js";
import { followRecordingFile } from "./follow-recording.js";
import { openRecordingFile, readRecordingFile } from "./recording-file.js";
import { spawnRecordedAgent } from "./spawn-recorded-agent.js";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-recording-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("a recording in a file", () => {
  it("contains each line as soon as it is recorded, and only the user can read it", async () => {
    const file = openRecordingFile(join(directory, "a", "talk.jsonl"));
    const tape = recorder({ in: "client", sink: file });
    tape.message("client", { id: 1, method: "one" });
    expect((await readRecordingFile(file.path)).entries).toHaveLength(1); // not closed, not flushed
    tape.message("client", { id: 2, method: "two" });
    await tape.close();
    await tape.close();
    tape.message("client", { id: 3, method: "lost" });
    expect((await readRecordingFile(file.path)).entries).toHaveLength(2);
    if (process.platform !== "win32") expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it("never replaces another file, except with the option `overwrite`", () => {
    const path = join(directory, "b.jsonl");
    writeFileSync(path, "precious", { mode: 0o644 });
    const second = openRecordingFile(path);
    second.write("x\n");
    second.close?.();
    expect(second.path).toBe(join(directory, "b-2.jsonl"));
    expect(readFileSync(path, "utf8")).toBe("precious");
    const again = openRecordingFile(path, { overwrite: true });
    again.close?.();
    expect(readFileSync(path, "utf8")).toBe("");
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).filter((name) => name.startsWith("b"))).toEqual(["b-2.jsonl", "b.jsonl"]);
  });

  it("can be followed while it is written, even if a line or a character is incomplete", async () => {
    const sink = memorySink();
    const tape = recorder({ in: "client", sink });
    for (let n = 0; n < 6; n += 1) tape.stderr(`line ${n} 🐎`);
    const bytes = Buffer.from(sink.text());
    const path = join(directory, "c.jsonl");
    const first = bytes.length >> 1;
    writeFileSync(path, bytes.subarray(0, first));
    const stop = new AbortController();
    const entries: RecordingEntry[] = [];
    const write = async (): Promise<void> => {
      for (let start = first; start < bytes.length; start += 7) {
        appendFileSync(path, bytes.subarray(start, start + 7));
        await nextTurn();
      }
    };
    const writing = write();
    for await (const entry of followRecordingFile(path, stop.signal)) {
      entries.push(entry);
      if (entries.length === 6) stop.abort();
    }
    await writing;
    expect(entries).toEqual(readRecording(sink.text()).entries);
  });

  it("can be left while it is followed, and a file that is not a recording is refused without a further change", async () => {
    const { signal } = new AbortController();
    const path = join(directory, "d.jsonl");
    const sink = memorySink();
    recorder({ in: "client", sink }).stderr("a line");
    writeFileSync(path, sink.text());
    for await (const entry of followRecordingFile(path, signal)) {
      expect(entry).toMatchObject({ kind: "stderr" });
      break;
    }
    const notes = join(directory, "notes.txt");
    writeFileSync(notes, "hello\n");
    await expect(followRecordingFile(notes, signal).next()).rejects.toThrow("The file is not a recording");
  });

  it("is not written beside a folder of the same name", () => {
    expect(() => openRecordingFile(directory)).toThrow("EISDIR");
  });
});

describe("an agent that is spawned and recorded", () => {
  it("is recorded from its start to its exit, with its standard error", async () => {
    const sink = memorySink();
    const tape = recorder({ in: "client", sink });
    const script =
      "console.error('hi'); process.stdin.once('data', () => console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'yes' }))).on('end', () => process.exit(0))";
    const agent = spawnRecordedAgent({ command: process.execPath, args: ["-e", script] }, tape);
    const connection = new Connection(agent, { tap: tape });
    connection.listen();
    expect(await connection.request("ask", {})).toBe("yes");
    await connection.close();
    await agent.exited;
    const { entries } = readRecording(sink.text());
    const events = entries.map((entry) => (entry.kind === "process" ? entry.event : entry.kind));
    expect(events.filter((event) => event !== "stderr")).toEqual(["started", "message", "message", "exited"]);
    expect(entries).toContainEqual(expect.objectContaining({ kind: "stderr", text: "hi" }));
  });

  it("that can't be started is recorded with the failure", async () => {
    const sink = memorySink();
    const agent = spawnRecordedAgent({ command: "no-such-agent" }, recorder({ in: "client", sink }));
    await agent.exited;
    expect(readRecording(sink.text()).entries.at(-1)).toMatchObject({ kind: "process", event: "failed" });
  });
});
