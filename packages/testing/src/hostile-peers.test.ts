import { linkedTransports } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { deepJson, deepValue } from "../test/hostile.js";
import { valueFrame } from "./faults/frame.js";
import { pieces } from "./faults/lane.js";
import { mistype } from "./faults/mistype.js";
import { agentScript, dialogue } from "./index.js";
import { createRandom } from "./random.js";
import { createReplayer, formatDifferences, readRecording, traceText } from "./recording/index.js";
import { faultsOf } from "./vitest/conformant.js";
import { acpMatchers } from "./vitest/matchers.js";

const deep = deepValue(20_000);

describe("a peer whose messages are nested 20,000 levels deep, or have names that every JavaScript object inherits", () => {
  it("hostile.test-kit: doesn't crash a scripted peer, and can be inspected", async () => {
    const agent = agentScript().inMemory();
    const { transport } = agent;
    const answers: unknown[] = [];
    const answered = new Promise<void>((resolve) => {
      const message = (value: unknown) => void (answers.push(value) === 2 && resolve());
      transport.start({ message, malformed() {}, ended() {}, failed() {} });
    });
    const params = deepJson(500); // a transport skips messages deeper than 512 levels
    for (const line of [
      deepJson(20_000),
      params,
      `[${params}]`,
      `{"jsonrpc":"2.0","method":"constructor","params":${params}}`,
      `{"jsonrpc":"2.0","id":1,"method":"__proto__","params":${params}}`,
      '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":1}}',
    ]) {
      transport.write(`${line}\n`);
    }
    await answered;
    expect(answers).toMatchObject([
      { id: 1, error: { code: -32601 } },
      { id: 2, result: { protocolVersion: 1 } },
    ]);
    expect(dialogue(agent.seen)).toContain("initialize");
    await agent.close();
  });

  it("hostile.test-kit: doesn't crash the matchers", () => {
    const context = { equals: Object.is };
    const stopped = acpMatchers.toHaveStopped.call(context, { result: { stopReason: deep } }, "end_turn");
    expect(stopped.message()).toContain("can't be serialized");
    for (const method of ["constructor", "toString"]) {
      expect(faultsOf({ jsonrpc: "2.0", id: 1, method, params: {} })).toMatchObject([
        expect.stringContaining("has no method"),
      ]);
      expect(faultsOf({ jsonrpc: "2.0", id: 1, result: {} }, { responseTo: method })).toHaveLength(1);
    }
    expect(
      acpMatchers.toBeConformantMessage.call(context, { jsonrpc: "2.0", id: 1, method: "_x", params: deep }).pass,
    ).toBe(true);
  });

  it("hostile.test-kit: doesn't crash the injection of faults", () => {
    expect(mistype(deep, createRandom(1))).toEqual({ value: deep, detail: expect.stringContaining("too deep") });
    const long = { jsonrpc: "2.0", method: "m", params: { [`${"x".repeat(300_000)}.y`]: 1 } };
    for (let seed = 0; seed < 20; seed += 1)
      expect(mistype(long, createRandom(seed), { anywhere: true }).detail).not.toBe("");
    const deeds = pieces(valueFrame({ text: "x".repeat(200_000) }), () => 1);
    expect(deeds.length).toBeGreaterThan(400_000);
  });

  it("hostile.test-kit: doesn't end a replay", async () => {
    const lines = [
      { acpRecording: 1, startedAt: "2026-01-01T00:00:00Z", recordedIn: "client", redacted: {} },
      { t: 1, kind: "message", from: "client", message: { jsonrpc: "2.0", id: 1, method: "ask", params: { a: [1] } } },
      { t: 2, kind: "message", from: "agent", message: { jsonrpc: "2.0", id: 1, result: { ok: true } } },
    ];
    const recording = readRecording(lines.map((line) => JSON.stringify(line)).join("\n"));
    const [ours, theirs] = linkedTransports();
    const connection = createReplayer(recording).connect(ours);
    const answers: unknown[] = [];
    theirs.start({ message: (value) => answers.push(value), malformed() {}, ended() {}, failed() {} });
    for (const message of [
      { jsonrpc: "2.0", id: deep, method: "ask", params: deep },
      { jsonrpc: "2.0", id: 5, method: "constructor", params: deep },
      { jsonrpc: "2.0", id: 6, method: "ask", params: deep },
    ]) {
      connection.message(message);
    }
    await Promise.resolve();
    const { differences } = await connection.close();
    expect(formatDifferences(differences)).toContain("can't be serialized");
    expect(answers).toMatchObject([
      { id: 5, error: {} },
      { id: 6, result: { ok: true } },
    ]);
  });

  it("hostile.test-kit: a session id that can't be converted to a string doesn't end the replay of a client", async () => {
    const lines = [
      { acpRecording: 1, startedAt: "2026-01-01T00:00:00Z", recordedIn: "client", redacted: {} },
      { t: 1, kind: "message", from: "client", message: { jsonrpc: "2.0", id: 1, method: "ask", params: {} } },
      { t: 2, kind: "message", from: "agent", message: { jsonrpc: "2.0", id: 1, result: { ok: true } } },
    ];
    const recording = readRecording(lines.map((line) => JSON.stringify(line)).join("\n"));
    const [ours] = linkedTransports();
    const connection = createReplayer(recording, { as: "client" }).connect(ours);
    const params = { sessionId: { toString: 1, valueOf: 1 }, update: {} };
    expect(() => connection.message({ jsonrpc: "2.0", method: "session/update", params })).not.toThrow();
    await connection.close();
  });

  it("hostile.test-kit: doesn't crash the trace", () => {
    const methods = ["constructor", "__proto__", "toString"];
    const messages = methods.flatMap((method, id) => [
      {
        t: id,
        kind: "message",
        from: "client",
        message: { jsonrpc: "2.0", id, method, params: { [method]: "x".repeat(100_000) } },
      },
      {
        t: id,
        kind: "message",
        from: "agent",
        message: { jsonrpc: "2.0", id, error: { code: deepValue(200), message: "y".repeat(100_000) } },
      },
    ]);
    const recording = readRecording(
      [{ acpRecording: 1, startedAt: "2026-01-01T00:00:00Z" }, ...messages]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    expect(recording.problems).toEqual([]);
    const lines = traceText(recording).trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line.length).toBeLessThan(1_000);
  });
});
