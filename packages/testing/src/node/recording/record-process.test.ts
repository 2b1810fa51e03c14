import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson } from "../../../test/hostile.js";
import type { Recording } from "../../recording/format.js";
import { readRecording } from "../../recording/read-recording.js";
import { type Recorder, recorder } from "../../recording/recorder.js";
import { memorySink } from "../../recording/sink.js";
import { type RecordedProcess, recordProcess, recordProcessWith } from "./record-process.js";

/** An agent that is one line of JavaScript, between streams that the test controls. */
function run(script: string, options: { maxMessageBytes?: number } = {}, outputGraceMs?: number) {
  const sink = memorySink();
  const tape: Recorder = recorder({ in: "between", sink, secrets: true });
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const command = { command: process.execPath, args: ["-e", script] };
  const agent: RecordedProcess = recordProcessWith(
    { recorder: tape, ...command, stdin, stdout, stderr, ...options },
    outputGraceMs,
  );
  const entries = (): Recording["entries"] => readRecording(sink.text()).entries;
  return { agent, stdin, stdout, stderr, entries, tape, text: () => sink.text() };
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const echo = "process.stdin.pipe(process.stdout)";

describe("a recorded agent", () => {
  it("sends and receives every byte unchanged, JSON or not, wherever the bytes are split", {
    timeout: 120_000,
  }, async () => {
    const line = fc.oneof(
      anyJson(2_000).map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom("\n", "\r\n", "{this is not json\n", "Content-Length: 2\r\n\r\n{}")
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.nat(40), { maxLength: 8 }),
        async (lines, cuts) => {
          const input = Buffer.concat(lines);
          const { agent, stdin, stdout } = run(echo);
          const output = bytesOf(stdout);
          let start = 0;
          for (const cut of cuts) {
            stdin.write(input.subarray(start, start + cut));
            start += cut;
            await nextTurn();
          }
          stdin.end(input.subarray(start));
          expect((await output).equals(input)).toBe(true);
          expect(await agent.ended).toEqual({ exitCode: 0, signal: null });
        },
      ),
      { numRuns: 25 },
    );
  });

  it("is recorded literally, with numbers and members as they were written", async () => {
    const { agent, stdin, stdout, entries, text } = run(echo);
    stdout.resume();
    stdin.end('{"jsonrpc":"2.0","method":"a","params":{"n":12345678901234567890,"a":1}}\r\nbanner\n\n{"id":1');
    await agent.ended;
    const said = entries().filter(({ kind }) => kind === "message" || kind === "noise");
    const message = { jsonrpc: "2.0", method: "a" };
    expect(text()).toContain('"message":{"jsonrpc":"2.0","method":"a","params":{"n":12345678901234567890,"a":1}}}');
    const fromClient = said.filter((entry) => "from" in entry && entry.from === "client");
    expect(fromClient).toMatchObject([
      { kind: "message", message, bytes: 74 },
      { kind: "noise", text: "banner" },
      { kind: "noise", text: "" },
      { kind: "noise", text: '{"id":1' },
    ]);
    expect(said.filter((entry) => "from" in entry && entry.from === "agent")).toHaveLength(4);
    const events = entries().flatMap((entry) => (entry.kind === "process" ? [entry.event] : []));
    expect(events).toEqual(["started", "input_ended", "output_ended", "exited"]);
  });

  it("keeps its exit code, its standard error and its last messages", async () => {
    const { agent, stdout, stderr, entries } = run(
      "console.error('Bearer of news'); process.stdout.write('bye'); process.exitCode = 7",
    );
    const [output, errors] = await Promise.all([bytesOf(stdout), once(stderr, "data")]);
    expect(await agent.ended).toEqual({ exitCode: 7, signal: null });
    expect(output.toString()).toBe("bye");
    expect(String(errors[0])).toBe("Bearer of news\n");
    expect(entries()).toContainEqual(expect.objectContaining({ kind: "stderr", text: "Bearer of news" }));
    expect(entries()).toContainEqual(expect.objectContaining({ kind: "noise", from: "agent", text: "bye" }));
    expect(entries().at(-1)).toMatchObject({ kind: "process", event: "exited", exitCode: 7 });
  });

  it.skipIf(process.platform === "win32")("receives signals, and its end by a signal is reported", async () => {
    const { agent, stdout, entries } = run("process.stdout.write('up'); setInterval(() => {}, 1e6)");
    await once(stdout, "data");
    agent.signal("SIGTERM");
    expect(await agent.ended).toEqual({ exitCode: null, signal: "SIGTERM" });
    expect(entries()).toContainEqual(expect.objectContaining({ kind: "process", event: "signal", signal: "SIGTERM" }));
  });

  it("waits for a slow client, and buffers no more than pipes do", async () => {
    const megabytes = 32;
    const { agent, stdout, tape } = run(
      `const chunk = Buffer.alloc(1 << 20, 97); chunk[chunk.length - 1] = 10;
       let left = ${megabytes}; const go = () => { while (left-- > 0) if (!process.stdout.write(chunk)) return process.stdout.once('drain', go); }; go();`,
      { maxMessageBytes: 1000 },
    );
    await once(stdout, "readable");
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(tape.stats.bytes).toBeLessThan(4_000_000);
    const before = tape.stats.entries;
    expect(before).toBeLessThan(megabytes);
    expect((await bytesOf(stdout)).length).toBe(megabytes << 20);
    expect((await agent.ended).exitCode).toBe(0);
  });

  it("notices that its client no longer reads", async () => {
    const { agent, stdout } = run(
      "process.stdout.on('error', () => process.exit(9)); setInterval(() => process.stdout.write('x\\n'), 1)",
    );
    await once(stdout, "data");
    stdout.destroy();
    expect((await agent.ended).exitCode).toBe(9);
  });

  it("closes the pipe from its client when it closes its input", async () => {
    const { agent, stdin, stdout } = run(
      "require('fs').closeSync(0); process.stdout.write('deaf'); setTimeout(() => {}, 1e6)",
    );
    await once(stdout, "data");
    const closed = once(stdin, "close");
    stdin.write("a\n");
    stdin.on("error", () => {});
    await closed;
    agent.signal("SIGKILL");
    await agent.ended;
  });

  it("ends even if a process that it started keeps its output open", async () => {
    const { agent, stdout } = run(
      `const child = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)'], { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
       process.stdout.write(String(child.pid)); child.unref();`,
      {},
      50,
    );
    const [pid] = await once(stdout, "data");
    expect((await agent.ended).exitCode).toBe(0);
    process.kill(Number(String(pid)));
  });

  it("is recorded until the end of its output, if there is no limit for the output after its exit", async () => {
    const { agent, stdout } = run(
      `const heir = "setInterval(() => { if (process.ppid === Number(process.argv[1])) return; console.log('late'); process.exit(); }, 5)";
       const args = ['-e', heir, String(process.pid)];
       require('child_process').spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }).once('spawn', () => process.exit());`,
      {},
      Number.POSITIVE_INFINITY,
    );
    const output = bytesOf(stdout);
    await agent.ended;
    expect(String(await output)).toContain("late");
  });

  it("that does not exist is reported, and recorded", async () => {
    const sink = memorySink();
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const { pid, ended } = recordProcess({
      recorder: recorder({ in: "between", sink }),
      command: "no-such-agent",
      stdin: Readable.from([]),
      stdout: nowhere,
      stderr: nowhere,
    });
    expect(pid).toBeUndefined();
    expect((await ended).error?.code).toBe("ENOENT");
    expect(readRecording(sink.text()).entries.at(-1)).toMatchObject({ kind: "process", event: "failed" });
  });
});
