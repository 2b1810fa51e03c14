import { describe, expect, it } from "vitest";
import { manual } from "../test/connect.js";
import { Connection, fromMessageStream, linkedTransports, type Message } from "./index.js";
import { JsonText } from "./json-text.js";

const text = '{"n":1.0,"deep":{"a":[1]}}'; // JSON.stringify writes `1`
const params = { n: 1, deep: { a: [1] } };
const message = { jsonrpc: "2.0", method: 'say "m"', params };

describe("params as JSON text", () => {
  it("are sent as they are, and their value is not read", () => {
    const { connection, transport } = manual();
    let reads = 0;
    transport.onSend = () => {};
    const texts: (string | undefined)[] = [];
    const { send } = transport;
    transport.send = (sent, known) => {
      texts.push(known);
      return send.call(transport, sent, known);
    };
    void connection.notify('say "m"', new JsonText(text, () => (reads += 1)));
    expect(texts).toEqual([`{"jsonrpc":"2.0","method":"say \\"m\\"","params":${text}}`]);
    expect(reads).toBe(0);
  });

  it("are a value for taps, which is parsed once", () => {
    const seen: Message[] = [];
    const { connection } = manual({ tap: ({ message }) => seen.push(message as Message) });
    void connection.notify('say "m"', new JsonText(text));
    const [sent] = seen as { params?: unknown }[];
    expect(sent?.params).toEqual(params);
    expect(sent?.params).toBe(sent?.params);
    expect(JSON.parse(JSON.stringify(sent))).toEqual(message);
  });

  it.each([true, false])("arrive over linked transports (serialize: %s)", async (serialize) => {
    const [left, right] = linkedTransports({ serialize });
    const [a, b] = [new Connection(left), new Connection(right)];
    const arrived = new Promise((resolve) => b.onNotification("m", resolve));
    for (const connection of [a, b]) connection.listen();
    void a.notify("m", new JsonText(text));
    expect(await arrived).toEqual(params);
  });

  it("are plain objects in a message stream", async () => {
    const { readable, writable } = new TransformStream<unknown, unknown>();
    const connection = new Connection(fromMessageStream({ readable: new ReadableStream(), writable }));
    connection.listen();
    void connection.notify('say "m"', new JsonText(text));
    const { value } = await readable.getReader().read();
    expect({ ...(value as object) }).toEqual(message);
  });
});
