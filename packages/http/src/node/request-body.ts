import type { NodeRequest } from "./node-exchange.js";

/**
 * The body of a request as a stream of the web platform. Unlike `Readable.toWeb`, it leaves the socket open if the
 * reader cancels, because the client is still to receive the response.
 */
export function requestBody(request: NodeRequest): ReadableStream<Uint8Array> {
  let leave = (): void => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onData = (chunk: Uint8Array): void => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) request.pause();
      };
      const onEnd = (): void => {
        leave();
        controller.close();
      };
      const onBroken = (): void => {
        leave();
        controller.error(new TypeError("The client has gone before the end of the body."));
      };
      leave = () => void request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      request.pause().on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
    },
    pull: () => void request.resume(),
    cancel: () => leave(),
  });
}
