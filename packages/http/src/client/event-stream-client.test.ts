import { expect, it, onTestFinished, vi } from "vitest";
import { eventOf } from "../wire/sse-writer.js";
import { CookieJar } from "./cookie-jar.js";
import { CredentialsCache } from "./credentials.js";
import { EventStreamClient } from "./event-stream-client.js";
import { remoteLimitsOf } from "./http-agent-options.js";
import { HttpRequests } from "./http-requests.js";

/** A stream whose bodies `pull` creates. */
function streamOf(
  pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  resumes = false,
): EventStreamClient {
  const requests = new HttpRequests({
    url: "http://localhost/acp",
    sendHttp: async (_, { signal }) => {
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      };
      const body = new ReadableStream<Uint8Array>({ start, pull }, { highWaterMark: 0 });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    credentials: new CredentialsCache({}),
    cookies: new CookieJar(),
    browserCredentials: "omit",
  });
  return new EventStreamClient({ requests, headers: {}, resumes, limits: remoteLimitsOf({}) });
}

/** A stream whose body yields an event for each read, without end. */
function endlessStream() {
  let pulls = 0;
  const stream = streamOf((controller) => {
    pulls += 1;
    controller.enqueue(new TextEncoder().encode(eventOf(`${pulls} a`) + eventOf(`${pulls} b`)));
  });
  return {
    stream,
    get pulls() {
      return pulls;
    },
  };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

it("a stream stops reading after pause, and later continues with the next event", async () => {
  const source = endlessStream();
  const { stream } = source;
  const received: string[] = [];
  const third = new Promise<void>((resolve) => {
    stream.start({
      malformed: () => {},
      ended: () => {},
      event: (data) => {
        received.push(data);
        if (data === "1 a") stream.pause();
        if (data === "3 b") resolve();
      },
    });
  });
  await turns(20);
  expect(source.pulls).toBe(1);
  expect(received).toEqual(["1 a", "1 b"]);
  stream.resume();
  await third;
  stream.stop();
  expect(received.slice(0, 6)).toEqual(["1 a", "1 b", "2 a", "2 b", "3 a", "3 b"]);
});

it("a stream delivers nothing after it was stopped, not even the rest of a chunk", async () => {
  const { stream } = endlessStream();
  const received: string[] = [];
  stream.start({
    malformed: () => {},
    ended: () => {},
    event: (data) => {
      received.push(data);
      stream.stop();
    },
  });
  await turns(20);
  expect(received).toEqual(["1 a"]);
});

it("remote.dead-peers: a stream that was paused while it waited for bytes still notices that its server is silent", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let pulls = 0;
  const stream = streamOf((controller) => {
    pulls += 1;
    if (pulls === 1) controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
  });
  const ended = new Promise((resolve) => {
    stream.start({ event: () => {}, malformed: () => {}, ended: resolve });
  });
  await turns(20);
  expect(pulls).toBe(2);
  stream.pause();
  await vi.advanceTimersByTimeAsync(200_000); // a paused stream is not silent
  stream.resume();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(await ended).toMatchObject({ name: "RemoteError", code: "timeout" });
});

it("a stream that has delivered an event is opened again without a pause, and one that ends at once after a pause", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const bodies = [eventOf("a"), "", "", eventOf("b"), ""].map((text, i) => text && `id: ${i}\n${text}`);
  const opened: number[] = [];
  const stream = streamOf((controller) => {
    opened.push(performance.now());
    const body = bodies.shift();
    if (body === undefined) return;
    if (body !== "") controller.enqueue(new TextEncoder().encode(body));
    controller.close();
  }, true);
  stream.start({ event: () => {}, malformed: () => {}, ended: () => {} });
  for (let ms = 0; ms < 1_000; ms += 1) await vi.advanceTimersByTimeAsync(1);
  stream.stop();
  const [first = 0] = opened;
  expect(opened.map((at) => Math.floor((at - first) / 10) * 10)).toEqual([0, 0, 100, 200, 200, 300]);
});
