import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { type AcpProxy, createProxy, type ProxyDefinition, withProxies } from "@acp-kit/proxy";
import { logMessages } from "@acp-kit/proxy/middleware";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { delivered, info } from "../../test/raw-peer.js";

/** A transport of texts, such as one of bytes. */
class TextTransport implements Transport {
  readonly sent: string[] = [];
  readonly malformed: string[] = [];
  readonly full = undefined;
  receiver: TransportReceiver | undefined;

  start(receiver: TransportReceiver): void {
    this.receiver = receiver;
  }

  send(message: Message, text?: string): number {
    return this.sent.push(text ?? JSON.stringify(message));
  }

  /** Receives a text, as the transports of bytes do. */
  receive(text: string): void {
    if (this.receiver?.text?.(text, text.length)) return;
    try {
      this.receiver?.message(JSON.parse(text), text.length);
    } catch {
      this.malformed.push(text);
    }
  }

  pause(): void {}
  resume(): void {}
  async close(): Promise<void> {}
}

/** A relay between a client and an agent with proxies, and what each side gets. */
function relay(proxies: readonly AcpProxy[]): { client: string[]; agent: TextTransport } {
  const agent = new TextTransport();
  const client: string[] = [];
  withProxies(agent, proxies).start({
    text: (text) => client.push(text) > 0,
    message: (value) => void client.push(JSON.stringify(value)),
    malformed() {},
    ended() {},
    failed() {},
  });
  return { client, agent };
}

const chunk = (fields: string): string =>
  `{"jsonrpc": "2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk",${fields}}}}`;

describe("proxy.text: messages that no interceptor selects", () => {
  const other: ProxyDefinition = { info, fromAgent: { "session/request_permission": (_, next) => next() } };

  test.each([
    chunk('"content":{"type":"text","text":"\\ud800 \u2028 \\u0061"},"_meta":{"n":12345678901234567890,"a":1,"a":2}'),
    '{"method":"_other","jsonrpc":"2.0","unknown":[1.0,1e2]}',
    '{"jsonrpc":"2.0","id":1.50,"method":"_x"}',
  ])("arrive as the same text, or as the same value: %s", (text) => {
    const { client, agent } = relay([createProxy(other), createProxy({ info })]);
    agent.receive(text);
    expect(client.map((each) => JSON.parse(each))).toEqual([JSON.parse(text)]);
    if (!text.includes("1.50")) expect(client).toEqual([text]);
  });

  test("any JSON arrives byte for byte", () => {
    const { client, agent } = relay([createProxy(other), createProxy({ info })]);
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("session/update", "_x", "session/cancel"), (json, method) => {
        const text = `{"jsonrpc":"2.0","params":${json},"method":"${method}"}`;
        client.length = 0;
        agent.receive(text);
        expect(client).toEqual([text]);
      }),
    );
  });

  test("requests and their responses arrive byte for byte, also if they waited for an interceptor", async () => {
    const held: (() => void)[] = [];
    const slow = createProxy({
      info,
      fromAgent: {
        "session/update": async (_, next) => {
          await new Promise<void>((resolve) => held.push(resolve));
          next();
        },
      },
    });
    const { client, agent } = relay([slow]);
    const request = '{"jsonrpc":"2.0","id":"r","method":"_x","params":{"sessionId":"s","n":12345678901234567890}}';
    agent.receive(chunk('"content":{"type":"text","text":"a"}'));
    agent.receive(request);
    expect(client).toEqual([]);
    held.shift()?.();
    await delivered();
    expect(client[1]).toBe(request);
  });

  test("a message that an interceptor has seen arrives as the value that it has seen", () => {
    const { client, agent } = relay([logMessages(() => {})]);
    agent.receive('{"jsonrpc":"2.0","method":"_x","params":{"a":1,"a":2}}');
    expect(client).toEqual(['{"jsonrpc":"2.0","method":"_x","params":{"a":2}}']);
  });
});

/** Texts that receivers read differently: the last or the first of two members, or names without regard to case. */
test.each([
  '{"jsonrpc":"2.0","method":"_ok","method":"fs/write_text_file","id":1,"params":{}}',
  '{"jsonrpc":"2.0","method":"_ok","Method":"fs/write_text_file","id":1,"params":{}}',
  '{"jsonrpc":"2.0","method":"_ok","\\u006dethod":"fs/write_text_file","id":1,"params":{}}',
  '{"jsonrpc":"2.0","method":"_ok","METHOD":"fs/write_text_file","id":1}',
  '{"jsonrpc":"2.0","id":1,"result":{},"method":"fs/write_text_file","params":{}}',
  '[{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file"}]',
])("proxy.text-same-message: %s passes a policy only as the message that the policy has seen", (text) => {
  const seen: string[] = [];
  const policy = createProxy({
    info,
    fromAgent: {
      "fs/write_text_file": ({ method }) => {
        seen.push(method);
        return { _meta: { refused: true } } as never;
      },
    },
  });
  const { client, agent } = relay([policy]);
  agent.receive(text);
  for (const each of client) {
    expect(each).not.toMatch(/fs\/write_text_file/);
    expect(each).toBe(JSON.stringify(JSON.parse(each)));
  }
});

test("text that is not JSON and looks like a request is reported by the transport", () => {
  const { client, agent } = relay([createProxy({ info })]);
  agent.receive('{"jsonrpc":"2.0","id":1,"method":"_x","params":{bad}}');
  expect(client).toEqual([]);
  expect(agent.malformed).toHaveLength(1);
});
