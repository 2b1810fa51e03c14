import { onAbort } from "@acp-kit/jsonrpc/internal";
import type { FetchLike } from "../src/client/http-agent-options.js";

/** Hooks that delay or break requests and responses. */
export interface FetchFaults {
  /** Called before the request reaches the server. It may wait, or throw like a broken network. */
  readonly request?: (request: Request) => void | Promise<void>;
  /**
   * Called with the response, after the server has handled the request. It may wait, return another response, or throw.
   */
  readonly response?: (response: Response, request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** A `fetch` to a handler in this process, through a simulated network that a test can break. */
export function inProcessFetch(handle: (request: Request) => Promise<Response>, faults: FetchFaults = {}): FetchLike {
  return async (url, init) => {
    const { signal, ...rest } = init;
    const request = new Request(url, { ...rest, credentials: "omit" });
    const broken = new Promise<never>((_, reject) => {
      const abort = (): void => reject(new DOMException("The request was aborted", "AbortError"));
      onAbort(signal ?? undefined, abort);
    });
    broken.catch(() => {});
    const work = (async () => {
      await faults.request?.(request);
      signal?.throwIfAborted();
      const response = await handle(request);
      return (await faults.response?.(response, request)) ?? response;
    })();
    work.catch(() => {});
    const response = await Promise.race([work, broken]);
    if (response.body === null) return response;
    return new Response(breakable(response.body, signal ?? undefined), response);
  };
}

/** A body that breaks when the signal aborts, and then cancels its source. */
function breakable(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(new DOMException("The body was aborted", "AbortError"));
          void reader.cancel().catch(() => {});
        };
        onAbort(signal, abort);
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A response whose body breaks after a number of bytes. */
export function cutAfter(response: Response, bytes: number): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let left = bytes;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left <= 0) {
          controller.error(new TypeError("terminated"));
          await reader.cancel();
          return;
        }
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(value.subarray(0, left));
        left -= value.length;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
