import type { EventReader } from "./event-stream.js";
import type { HttpExchange, HttpReply } from "./exchange.js";

/** Returns whether the caller accepts an event stream as the response. */
export function acceptsEvents(exchange: HttpExchange): boolean {
  const types = exchange.header("accept")?.split(",") ?? [];
  return types.some((type) => type.split(";", 1)[0]?.trim().toLowerCase() === "text/event-stream");
}

/** Creates a reply whose body is an event stream. */
export function eventReply(body: EventReader): HttpReply {
  return { status: 200, headers, body };
}

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no", // otherwise nginx buffers the events
};
