import { after } from "@acp-kit/jsonrpc/internal";
import { STREAM_START } from "../wire/sse-writer.js";
import { BodyChunks } from "./body-chunks.js";
import type { EventReader } from "./event-stream.js";
import type { BodyLimits, BodyText, HttpExchange, HttpReply } from "./exchange.js";
import { bodyBroken, bodyTooLarge, bodyTooSlow, noMemory } from "./read-message.js";
import type { Refusal } from "./refusal.js";

/** The HTTP request of a server that uses `Request` of the web platform. */
export class FetchExchange implements HttpExchange {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  header(name: string): string | null {
    const value = this.#request.headers.get(name);
    // Some servers create a `Request` without a `Host` header; its URL contains the host.
    return value === null && name === "host" ? new URL(this.#request.url).host : value;
  }

  async readBody({ maxBytes, timeoutMs, holding }: BodyLimits): Promise<BodyText> {
    const { body } = this.#request;
    if (body === null) return { text: "", size: 0 };
    const reader = body.getReader();
    let refusal: Refusal | undefined;
    const stop = after(timeoutMs, () => {
      refusal = bodyTooSlow(timeoutMs);
      void reader.cancel().catch(() => {});
    });
    const chunks = new BodyChunks();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (refusal !== undefined) throw refusal;
        if (done) return { text: decoder.decode(chunks.join()), size: chunks.size };
        chunks.push(value);
        if (chunks.size > maxBytes) refusal = bodyTooLarge(maxBytes);
        else if (!holding.set(chunks.size)) refusal = noMemory();
        if (refusal !== undefined) {
          void reader.cancel().catch(() => {});
          throw refusal;
        }
      }
    } catch {
      throw refusal ?? bodyBroken();
    } finally {
      stop();
    }
  }

  onGone(listener: () => void): () => void {
    const { signal } = this.#request;
    if (signal.aborted) queueMicrotask(listener);
    signal.addEventListener("abort", listener, { once: true });
    return () => signal.removeEventListener("abort", listener);
  }

  toRequest(): Request {
    const { url, headers } = this.#request;
    return new Request(url, { headers, method: this.#request.method });
  }
}

const decoder = new TextDecoder();

/** Handles a request of the web platform. */
export async function respondTo(
  request: Request,
  handle: (exchange: HttpExchange) => Promise<HttpReply>,
): Promise<Response> {
  const reply = await handle(new FetchExchange(request));
  // The client has gone, so the platform neither reads nor cancels the body.
  if (request.signal.aborted && typeof reply.body === "object") reply.body.close();
  return toResponse(reply);
}

/** Converts a reply to a `Response` of the web platform. */
export function toResponse({ status, headers, body }: HttpReply): Response {
  const content = typeof body === "object" ? streamOf(body) : (body ?? null);
  return new Response(content, { status, headers });
}

const encoder = new TextEncoder();

function streamOf(events: EventReader): ReadableStream<Uint8Array> {
  let wake: (() => void) | undefined;
  events.onWake(() => wake?.());
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(STREAM_START));
      },
      async pull(controller) {
        for (;;) {
          const text = events.take();
          if (text !== undefined) {
            controller.enqueue(encoder.encode(text));
            events.written(); // the platform requests one text at a time, so it has written the previous text
            return;
          }
          if (events.ended) {
            events.close();
            controller.close();
            return;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          wake = undefined;
        }
      },
      cancel() {
        events.close();
      },
    },
    { highWaterMark: 1 },
  );
}
