import type { ServerResponse } from "node:http";

interface Entry {
  readonly params: { readonly update: unknown };
}

/**
 * Forwards a response of a journal. Status, headers and control events are the server's own. Each entry is replaced by
 * the message that was appended, and the content type of the journal by that of the stream.
 */
export async function readable(
  reply: Response,
  contentType: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const isEvents = reply.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const headers = new Headers(reply.headers);
  for (const name of ["content-length", "transfer-encoding", "connection", "keep-alive", "date"]) headers.delete(name);
  if (!isEvents && reply.ok && contentType !== undefined) headers.set("content-type", contentType);
  response.writeHead(reply.status, Object.fromEntries(headers));
  response.flushHeaders();
  if (reply.body === null || !reply.ok) {
    response.end(await reply.text());
    return;
  }
  const isJson = contentType?.startsWith("application/json") ?? true;
  if (!isEvents) {
    const text = await reply.text();
    response.end(text === "" ? "" : messagesIn(text, isJson), isJson ? "utf8" : "latin1");
    return;
  }
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of reply.body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) response.write(`${eventOf(event, isJson)}\n\n`, isJson ? "utf8" : "latin1");
  }
  response.end();
}

function messagesIn(text: string, isJson: boolean): string {
  const messages = (JSON.parse(text) as Entry[]).map(({ params }) => params.update);
  return isJson ? JSON.stringify(messages) : messages.join("");
}

function eventOf(event: string, isJson: boolean): string {
  const [, data] = /^event: data\ndata:(.*)$/s.exec(event) ?? [];
  if (data === undefined) return event;
  const lines = messagesIn(data, isJson).split(/\r\n|\r|\n/);
  return ["event: data", ...lines.map((line) => `data:${line}`)].join("\n");
}
