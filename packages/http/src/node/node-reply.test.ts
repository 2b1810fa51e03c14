import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { NodeBody, NodeReply } from "./node-reply.js";

const bytes = (text: string): Buffer => Buffer.from(text);

test("a reader receives the chunks in order, and then the end", async () => {
  const stream = new PassThrough();
  const body = new NodeBody(stream);
  const first = body.read();
  stream.write("one");
  expect(String((await first).value)).toBe("one");
  stream.write("two");
  stream.end("three");
  await vi.waitFor(() => expect(stream.destroyed).toBe(true));
  expect([String((await body.read()).value), String((await body.read()).value)]).toEqual(["two", "three"]);
  expect(await body.read()).toEqual({ done: true });
  expect(await body.read()).toEqual({ done: true });
});

test("what arrived before the connection broke is read before the error", async () => {
  const stream = new PassThrough();
  const body = new NodeBody(stream);
  stream.write("half");
  await vi.waitFor(() => expect(stream.readableLength).toBe(0));
  stream.destroy();
  await vi.waitFor(() => expect(stream.closed).toBe(true));
  expect(String((await body.read()).value)).toBe("half");
  await expect(body.read()).rejects.toThrow("The connection broke in the middle of the response.");
});

test("a pending read fails with the error of the stream", async () => {
  const stream = new PassThrough();
  const reading = new NodeBody(stream).read();
  stream.destroy(new Error("reset"));
  await expect(reading).rejects.toThrow("reset");
});

test.each([{ rstCode: 2 }, { complete: false }])("a body that ends with %j is not whole", async (end) => {
  const stream = Object.assign(new PassThrough(), end);
  const body = new NodeBody(stream);
  stream.end();
  await expect(body.read()).rejects.toThrow("in the middle of the response");
});

test("at most 64 KiB and one chunk are read ahead", async () => {
  const stream = new PassThrough({ highWaterMark: 1_024 });
  const body = new NodeBody(stream);
  for (let i = 0; i < 200; i++) {
    stream.write(Buffer.alloc(1_024));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([stream.isPaused(), stream.readableLength > 0]).toEqual([true, true]);
  for (let read = 0; read < 65_536; ) read += (await body.read()).value?.length ?? 0;
  expect(stream.isPaused()).toBe(false);
});

test("cancel drops unread bytes, ends a pending read and the stream", async () => {
  const stream = new PassThrough();
  const body = new NodeBody(stream);
  const reading = body.read();
  await body.cancel();
  expect([await reading, await body.read(), stream.destroyed]).toEqual([{ done: true }, { done: true }, true]);
});

test("headers with several values are joined, except cookies", () => {
  const received = { ":status": "200", via: ["a", "b"], "set-cookie": ["x=1", "y=2"], "retry-after": "3" };
  const { headers } = new NodeReply(200, received, new PassThrough());
  expect([headers.get("via"), headers.get("retry-after"), headers.get("missing")]).toEqual(["a, b", "3", null]);
  expect(headers.getSetCookie?.()).toEqual(["x=1", "y=2"]);
});

test.each([204, 205, 304])("a response with status %i has no body", async (status) => {
  const stream = new PassThrough();
  stream.end(bytes("ignored"));
  expect(new NodeReply(status, {}, stream).body).toBeNull();
  await vi.waitFor(() => expect(stream.readableEnded).toBe(true));
});
