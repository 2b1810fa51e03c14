import type { Json } from "../wire/values.js";
import { messageIn, type RemoteContext, replyText, respondsTo, sessionHeader } from "./remote-context.js";
import type { EventStream, StreamEvent } from "./remote-link.js";

/** A session over streamable HTTP, the control of a scenario: without it, the scenario is inconclusive. */
export interface HttpSession {
  /** The headers with the connection's id and the session's id. */
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly connectionStream: EventStream;
}

/** Opens the stream of a connection or a session. The scenario is inconclusive if the server opens none. */
export async function openStream(
  context: RemoteContext,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const opened = await context.link.stream({ ...headers, accept: "text/event-stream" });
  if ("status" in opened) context.inconclusive(`a stream could not be opened: ${replyText(opened)}`);
  return opened;
}

/** Waits for the response to a request on any of the streams. */
export async function responseOn(
  streams: readonly EventStream[],
  request: Json,
  limitMs: number,
): Promise<{ readonly event: StreamEvent; readonly stream: EventStream } | undefined> {
  const found = streams.map(async (stream) => {
    const event = await stream.find(({ data }) => respondsTo(data, request), limitMs);
    if (!event) throw new Error("not on this stream");
    return { event, stream };
  });
  return Promise.any(found).catch(() => undefined);
}

/** Opens a connection, its stream and a session. The scenario is inconclusive if that fails. */
export async function openSession(context: RemoteContext): Promise<HttpSession> {
  const connection = await context.openConnection();
  const connectionStream = await openStream(context, connection);
  const request = context.newSessionRequest();
  const reply = await context.post(request, connection);
  if (reply.status !== 202) context.inconclusive(`session/new gets ${replyText(reply)}`);
  const response = await responseOn([connectionStream], request, context.limits.requestTimeoutMs);
  const id = (messageIn(response?.event.data ?? "")?.result as Json | undefined)?.sessionId;
  if (typeof id !== "string") context.inconclusive("session/new did not open a session");
  return { headers: { ...connection, [sessionHeader]: id }, id, connectionStream };
}
