import { type LoggedMessage, logMessages } from "@acp-kit/proxy/middleware";
import { expect, test } from "vitest";
import { agentResult, delivered, initialize, rawChain } from "../../test/raw-peer.js";

test("methods, sizes, sessions, durations and errors of both directions; contents only by option", async () => {
  for (const contents of [false, true]) {
    const log: LoggedMessage[] = [];
    const chain = rawChain([logMessages((entry) => log.push(entry), { contents })]);
    await initialize(chain, { result: { ...agentResult, protocolVersion: 2 } });
    const { client, agent } = chain;
    client.request(1, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "secret" }] });
    client.notify("_note");
    await delivered();
    agent.chunk("hello");
    agent.fail(1, { code: -32000, message: "no" });
    await delivered();
    expect(
      log.map(({ type, from, method, sessionId, errorCode }) => [type, from, method, sessionId, errorCode]),
    ).toEqual([
      ["message", "client", "initialize", undefined, undefined],
      ["response", "agent", "initialize", undefined, undefined],
      ["message", "client", "session/prompt", "s", undefined],
      ["message", "client", "_note", undefined, undefined],
      ["message", "agent", "session/update", "s", undefined],
      ["response", "agent", "session/prompt", "s", -32000],
    ]);
    expect(log.every(({ type, size, durationMs }) => (type === "message" ? size : durationMs) !== undefined)).toBe(
      true,
    );
    expect(log[2]?.size).toBeGreaterThan(50);
    expect(JSON.stringify(log).includes("secret")).toBe(contents);
    expect(client.texts()).toEqual(["hello"]);
  }
});

test("a failing log never touches the wire", async () => {
  for (const log of [
    () => {
      throw new Error("disk full");
    },
    () => Promise.reject(new Error("disk full")),
  ]) {
    const { client, agent } = rawChain([logMessages(log)]);
    client.request(1, "_do");
    await delivered();
    agent.respond(1, null);
    await delivered();
    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: null }]);
  }
});
