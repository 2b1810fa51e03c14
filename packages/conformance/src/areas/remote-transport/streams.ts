import { openSession, openStream, responseOn } from "../../remote/http-session.js";
import {
  connectionHeader,
  messageIn,
  type RemoteContext,
  type RemoteScenario,
  replyText,
  respondsTo,
  sessionHeader,
} from "../../remote/remote-context.js";
import type { EventStream, StreamEvent } from "../../remote/remote-link.js";
import { httpScenario } from "../../remote/remote-scenario.js";
import type { Json } from "../../wire/values.js";

/** Scenarios about the streams of streamable HTTP, and about the stream that each message belongs to. */
export const streamScenarios: readonly RemoteScenario[] = [
  httpScenario("streams/accepted", ["RT-46", "RT-52", "RT-55", "TRANS-10"], {
    title: "A POST gets 202 without a body; the JSON-RPC response arrives on the stream of the connection",
    async run(context: RemoteContext) {
      const connection = await context.openConnection();
      const opened = await context.link.stream({ ...connection, accept: "text/event-stream" });
      if ("status" in opened) {
        context.fail(opened.status === 200 ? "RT-55" : "RT-52", {
          sent: "a GET with Acp-Connection-Id and Accept: text/event-stream",
          received: `${replyText(opened)}, content type ${opened.headers["content-type"] ?? "none"}`,
          explanation: "Respond with 200 and text/event-stream, and keep it open: it is the stream of the connection.",
          where: context.at(opened.seq),
        });
      }
      const request = context.newSessionRequest();
      const reply = await context.post(request, connection);
      const sent = "a POST of session/new";
      context.expectStatus("RT-46", reply, 202, {
        sent,
        explanation:
          "Respond with 202 immediately, and send the response to session/new on the stream of the connection.",
      });
      if (reply.status === 202 && reply.body !== "") {
        context.note("RT-46", {
          sent,
          received: replyText(reply),
          explanation: "The 202 has an empty body: JSON-RPC responses are sent only on streams.",
          where: context.at(reply.seq),
        });
      }
      if (reply.status !== 202) return;
      const response = await responseOn([opened], request, context.limits.requestTimeoutMs);
      if (checkEvents(context, opened, sent) && !response) {
        context.late("response to session/new on the stream of the connection", context.limits.requestTimeoutMs);
      }
    },
  }),
  httpScenario("streams/session-header", ["RT-44"], {
    title: "A POST of a session without Acp-Session-Id gets 400",
    async run(context: RemoteContext) {
      const { headers, id } = await openSession(context);
      const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: id } };
      const control = await context.post(cancel, headers);
      if (control.status !== 202) context.inconclusive(`with both headers, session/cancel gets ${control.status}`);
      const reply = await context.post(cancel, { [connectionHeader]: headers[connectionHeader] ?? "" });
      context.expectStatus("RT-44", reply, 400, {
        sent: "a POST of session/cancel without Acp-Session-Id; with it the same POST gets 202",
        explanation: "Respond with 400: requests of a session are routed by the header, without parsing the body.",
      });
    },
  }),
  httpScenario("streams/foreign-session", ["RT-56"], {
    title: "The Acp-Session-Id of another connection gets 404",
    async run(context: RemoteContext) {
      const { headers, id } = await openSession(context);
      const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: id } };
      const control = await context.post(cancel, headers);
      if (control.status !== 202)
        context.inconclusive(`on the session's own connection, session/cancel gets ${control.status}`);
      const other = await context.openConnection();
      const reply = await context.post(cancel, { ...other, [sessionHeader]: id });
      context.expectStatus("RT-56", reply, 404, {
        sent: "a POST of session/cancel on one connection, with the Acp-Session-Id of another",
        explanation:
          "Respond with 404: a session belongs to its connection, so no client can reach the session of another.",
      });
    },
  }),
  httpScenario("streams/turn", ["RT-11", "RT-51", "TRANS-10"], {
    title: "Updates and the response to a prompt arrive only on the stream of the session",
    async run(context: RemoteContext) {
      const { headers, id, connectionStream } = await openSession(context);
      const opened = await context.link.stream({ ...headers, accept: "text/event-stream" });
      if ("status" in opened) {
        context.fail("RT-51", {
          sent: "a GET with Acp-Connection-Id and Acp-Session-Id",
          received: replyText(opened),
          explanation: "Respond with 200 and text/event-stream, and keep it open: it is the stream of the session.",
          where: context.at(opened.seq),
        });
      }
      const request = context.promptRequest(id);
      const reply = await context.post(request, headers);
      if (reply.status !== 202) context.inconclusive(`session/prompt gets ${replyText(reply)}`);
      const response = await responseOn([opened, connectionStream], request, context.limits.turnTimeoutMs);
      if (!response) context.late("response to the prompt", context.limits.turnTimeoutMs);
      await opened.ended(context.limits.quietMs);
      const stray = strayOn(connectionStream, id, request);
      if (stray) {
        context.note("RT-11", {
          sent: "a prompt, with the streams of its connection and of its session open",
          received: `on the stream of the connection: ${stray.data.slice(0, 200)}`,
          explanation:
            "Send all messages of a session on the stream of that session: its updates, its requests, and the responses to its POSTs.",
          where: context.at(stray.seq),
        });
      }
      checkEvents(context, opened, "a prompt");
    },
  }),
  httpScenario("streams/independent", ["RT-11"], {
    title: "The stream of one session has no messages of another",
    async run(context: RemoteContext) {
      const first = await openSession(context);
      const another = context.newSessionRequest();
      const connection = { [connectionHeader]: first.headers[connectionHeader] ?? "" };
      await context.post(another, connection);
      const made = await responseOn([first.connectionStream], another, context.limits.requestTimeoutMs);
      const second = (messageIn(made?.event.data ?? "")?.result as { sessionId?: unknown } | undefined)?.sessionId;
      if (typeof second !== "string") context.inconclusive("a second session could not be opened");
      const quiet = await openStream(context, first.headers);
      const busy = await openStream(context, { ...connection, [sessionHeader]: second });
      const request = context.promptRequest(second);
      await context.post(request, { ...connection, [sessionHeader]: second });
      const response = await responseOn([busy, quiet, first.connectionStream], request, context.limits.turnTimeoutMs);
      if (!response) context.late("response to the prompt", context.limits.turnTimeoutMs);
      // A stray message may arrive later than the response, on another stream
      await quiet.ended(context.limits.quietMs);
      const stray = strayOn(quiet, second, request);
      if (!stray) return;
      context.fail("RT-11", {
        sent: "a prompt in one of two sessions, with the streams of both open",
        received: `on the stream of the other session: ${stray.data.slice(0, 200)}`,
        explanation:
          "Send each message only on the stream of its own session: clients expect that all messages of a stream belong to its session.",
        where: context.at(stray.seq),
      });
    },
  }),
];

/** Notes the first event whose data is an invalid message. Returns whether there is none. */
function checkEvents(context: RemoteContext, { events }: EventStream, sent: string): boolean {
  const odd = events.find(({ data }) => messageIn(data) === undefined);
  if (!odd) return true;
  context.note("TRANS-10", {
    sent,
    received: `an event with the data ${odd.data.slice(0, 200)}`,
    explanation:
      "The data of each event must be one JSON-RPC message: a remote transport keeps the messages of ACP unchanged.",
    where: context.at(odd.seq),
  });
  return false;
}

/** Returns an event on a stream that is not its own: a notification, a request, or the session's response. */
function strayOn({ events }: EventStream, sessionId: string, request: Json): StreamEvent | undefined {
  return events.find(({ data }) => {
    const message = messageIn(data);
    const params = message?.params as { sessionId?: unknown } | undefined;
    return (message?.method !== undefined && params?.sessionId === sessionId) || respondsTo(data, request);
  });
}
