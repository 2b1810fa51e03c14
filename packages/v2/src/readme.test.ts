import { readFileSync } from "node:fs";
import { Connection, linkedTransports, RpcError } from "@acp-kit/jsonrpc";
import { expect, test } from "vitest";
import { losses } from "./codec/loss.js";
import { ask } from "./readme.examples.js";

test("the example prompts an agent that speaks only version 2", async () => {
  const log: string[] = [];
  const [clientSide, agentSide] = linkedTransports();
  await using agent = new Connection(agentSide);
  const update = (fields: object) => agent.notify("session/update", { sessionId: "s", update: fields });
  agent.onRequest("initialize", (params) => {
    const { protocolVersion: requested } = params as { protocolVersion: number };
    if (requested < 2) throw new RpcError(-32022, "Unsupported version", { data: { requested, supported: [2] } });
    return { protocolVersion: 2, info: { name: "two", version: "1" }, capabilities: { session: {} } };
  });
  agent.onRequest("session/new", () => ({ sessionId: "s" }));
  agent.onRequest("session/prompt", () => {
    update({ sessionUpdate: "state_update", state: "running" });
    update({
      sessionUpdate: "agent_message",
      messageId: "m",
      content: [{ type: "text", text: "Hello from version 2" }],
    });
    update({ sessionUpdate: "state_update", state: "idle", stopReason: "_done" });
    return { messageId: "u" };
  });
  agent.listen();
  expect(await ask(clientSide, "Hello", (line) => log.push(line))).toBe("Hello from version 2");
  expect(log).toEqual([losses.stop_reason]);
});

test("the README names every kind of loss", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  for (const kind of Object.keys(losses)) expect(readme).toContain(`\`${kind}\``);
});
