import { createProxy } from "@acp-kit/proxy";
import { redactMessages } from "@acp-kit/proxy/middleware";
import { createRedactor } from "@acp-kit/redact";
import fc from "fast-check";
import { expect, test } from "vitest";
import { delivered, info, rawChain } from "../../test/raw-peer.js";

const key = "sk-ant-api03-QWERTYUIOPasdfghjklZXCVBNM1234567890qwerty";

test("proxy.redact-split: a secret is hidden wherever a chunk ends, and nothing else is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("word", key, "über", "a".repeat(300), "\n", "  "), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      async (words, sizes) => {
        const whole = words.join(" ");
        const { client, agent } = rawChain([redactMessages(createRedactor())]);
        client.request(1, "session/prompt", { sessionId: "s", prompt: [] });
        await delivered();
        for (let at = 0, n = 0; at < whole.length; n += 1) {
          const size = sizes[n % sizes.length] as number;
          agent.chunk(whole.slice(at, at + size));
          at += size;
        }
        agent.respond(1, { stopReason: "end_turn" });
        await delivered();
        const shown = client.texts().join("");
        expect(shown).not.toContain(key.slice(0, 14));
        expect(shown).not.toContain(key.slice(-14));
        if (!words.includes(key)) expect(shown).toBe(whole);
        expect(client.names.at(-1)).toBe(1);
      },
    ),
    { numRuns: 60 },
  );
});

test("tool calls, permission requests and forms are redacted; files and commands of the agent are not", async () => {
  const { client, agent } = rawChain([redactMessages(createRedactor())]);
  agent.chunk(`the key is ${key}`);
  const toolCall = { toolCallId: "t", title: `curl -H "Authorization: Bearer ${key}"` };
  agent.request(1, "session/request_permission", { sessionId: "s", toolCall, options: [] });
  agent.request(2, "fs/write_text_file", { sessionId: "s", path: "/.env", content: key });
  await delivered();
  expect(client.names).toEqual([
    "session/update",
    "session/update",
    "session/request_permission",
    "fs/write_text_file",
  ]);
  expect(JSON.stringify(client.received.slice(0, 3))).not.toContain(key);
  expect(client.params("fs/write_text_file").content).toBe(key);
});

test("toAgent: prompts, files and output that the agent reads", async () => {
  const { client, agent } = rawChain([
    redactMessages(createRedactor(), { toClient: false, toAgent: true }),
    createProxy({ info }),
  ]);
  client.request(1, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: `use ${key}` }] });
  agent.request(2, "fs/read_text_file", { sessionId: "s", path: "/.env" });
  agent.chunk(key);
  await delivered();
  client.respond(2, { content: `KEY=${key}` });
  await delivered();
  expect(JSON.stringify(agent.received)).not.toContain(key);
  expect(agent.responses(2)).toHaveLength(1);
  expect(client.texts()).toEqual([key]);
});
