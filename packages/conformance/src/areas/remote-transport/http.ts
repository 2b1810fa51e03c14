import type { RemoteContext, RemoteScenario } from "../../remote/remote-context.js";
import { connectionHeader, replyText, respondsTo } from "../../remote/remote-context.js";
import { LinkError } from "../../remote/remote-link.js";
import { httpScenario } from "../../remote/remote-scenario.js";

const ping = { jsonrpc: "2.0", method: "_conformance/ping" };

/** Opens a connection and returns its headers. Inconclusive if a plain notification does not get 202. */
async function workingConnection(context: RemoteContext): Promise<Readonly<Record<string, string>>> {
  const connection = await context.openConnection();
  const { status } = await context.post(ping, connection);
  if (status !== 202) context.inconclusive(`a POST of a notification on a new connection gets ${status}`);
  return connection;
}

/** Returns whether the server responds over HTTP/2. @throws {LinkError} if the server may only be slow. */
async function servesHttp2(context: RemoteContext): Promise<boolean> {
  try {
    await context.post(context.initializeRequest(), {}, "2");
    return true;
  } catch (error) {
    if (error instanceof LinkError && !error.isLate) return false;
    throw error;
  }
}

/** Scenarios about the status codes and headers of streamable HTTP. */
export const httpScenarios: readonly RemoteScenario[] = [
  httpScenario("http/initialize", ["RT-41", "TRANS-10"], {
    title: "A POST of initialize gets 200, the response as JSON and an Acp-Connection-Id",
    async run(context: RemoteContext) {
      const request = context.initializeRequest();
      const reply = await context.post(request);
      const sent = "a POST of initialize without Acp-Connection-Id";
      context.expectStatus("RT-41", reply, 200, { sent });
      if (reply.status !== 200) return;
      if (!respondsTo(reply.body, request)) {
        context.note("TRANS-10", {
          sent,
          received: replyText(reply),
          explanation:
            "The body of the 200 must be the JSON-RPC response to initialize, with its id: a remote transport keeps the messages of ACP unchanged.",
          where: context.at(reply.seq),
        });
      }
      if (reply.headers[connectionHeader] === undefined) {
        context.note("RT-41", {
          sent,
          received: "a 200 without the header Acp-Connection-Id",
          explanation:
            "Send the id of the new connection in the header Acp-Connection-Id: every later request needs it.",
          where: context.at(reply.seq),
        });
      }
    },
  }),
  httpScenario("http/version-2", ["RT-03"], {
    title: "Streamable HTTP is served over HTTP/2",
    async run(context: RemoteContext) {
      if (context.facts.http === "2") return;
      // The first request of the run may have been late, because it started the server. So the kit sends it once more.
      if (await servesHttp2(context)) return;
      context.fail("RT-03", {
        sent: context.facts.isSecure
          ? "initialize over TLS, with h2 offered by ALPN"
          : "initialize over HTTP/2 with prior knowledge (h2c)",
        received: "no response over HTTP/2; over HTTP/1.1 the same request works",
        explanation: context.facts.isSecure
          ? "Serve HTTP/2 at this address: streamable HTTP must run over it, because a client has many requests open at once."
          : "Streamable HTTP must run over HTTP/2. At an unencrypted address a proxy in front may add it, so this is advice: serve h2c, or HTTP/2 behind TLS.",
        ...(!context.facts.isSecure && { advice: true as const }),
      });
    },
  }),
  httpScenario("http/content-type", ["RT-40"], {
    title: "A POST of another content type gets 415",
    async run(context: RemoteContext) {
      const connection = await workingConnection(context);
      const reply = await context.post(ping, { ...connection, "content-type": "text/plain" });
      context.expectStatus("RT-40", reply, 415, {
        sent: "a POST of a notification with Content-Type: text/plain; with application/json it gets 202",
        explanation:
          "Refuse a POST whose Content-Type is not application/json with 415: otherwise any web page can send it without a preflight.",
      });
    },
  }),
  httpScenario("http/accept", ["RT-47"], {
    title: "A GET that does not accept text/event-stream gets 406",
    async run(context: RemoteContext) {
      const connection = await context.openConnection();
      const reply = await context.link.request({
        method: "GET",
        headers: { ...connection, accept: "application/json" },
      });
      if (reply.status === 406) return;
      const control = await context.link.stream({ ...connection, accept: "text/event-stream" });
      if ("status" in control && control.status !== 409) {
        context.inconclusive(`a GET that accepts text/event-stream gets ${control.status}`);
      }
      context.expectStatus("RT-47", reply, 406, {
        sent: "a GET of the connection with Accept: application/json; with text/event-stream it opens the stream",
      });
    },
  }),
  httpScenario("http/without-connection", ["RT-42", "RT-48", "RT-54"], {
    title: "POST, GET and DELETE without Acp-Connection-Id get 400",
    async run(context: RemoteContext) {
      await workingConnection(context);
      const expected = "Respond with 400: without Acp-Connection-Id the request belongs to no connection.";
      const post = await context.post(ping);
      context.expectStatus("RT-42", post, 400, {
        sent: "a POST of a notification without Acp-Connection-Id",
        explanation: expected,
      });
      const accept = { accept: "text/event-stream" };
      const get = await context.link.request({ method: "GET", headers: accept });
      context.expectStatus("RT-48", get, 400, {
        sent: "a GET of a stream without Acp-Connection-Id",
        explanation: expected,
      });
      const gone = await context.link.request({ method: "DELETE" });
      context.expectStatus("RT-54", gone, 400, { sent: "a DELETE without Acp-Connection-Id", explanation: expected });
    },
  }),
  httpScenario("http/unknown-connection", ["RT-43", "RT-49"], {
    title: "POST and GET with an unknown Acp-Connection-Id get 404",
    async run(context: RemoteContext) {
      await workingConnection(context);
      const unknown = { [connectionHeader]: "conformance-no-such-connection" };
      const expected = "Respond with 404: the client then knows that its connection has ended, and opens a new one.";
      const post = await context.post(ping, unknown);
      context.expectStatus("RT-43", post, 404, {
        sent: "a POST of a notification with an Acp-Connection-Id that the server never issued",
        explanation: expected,
      });
      const get = await context.link.request({ method: "GET", headers: { ...unknown, accept: "text/event-stream" } });
      context.expectStatus("RT-49", get, 404, {
        sent: "a GET of a stream with an Acp-Connection-Id that the server never issued",
        explanation: expected,
      });
    },
  }),
  httpScenario("http/batch", ["RT-45"], {
    title: "A batch gets 501",
    async run(context: RemoteContext) {
      const connection = await workingConnection(context);
      const reply = await context.post([ping], connection);
      context.expectStatus("RT-45", reply, 501, {
        sent: "a POST of a JSON-RPC batch with one notification",
        explanation: "Respond with 501 and process no message of the batch: the transport has no batches.",
      });
    },
  }),
  httpScenario("http/delete", ["RT-53"], {
    title: "A DELETE gets 202 and ends the connection and its streams",
    async run(context: RemoteContext) {
      const connection = await context.openConnection();
      const stream = await context.link.stream({ ...connection, accept: "text/event-stream" });
      const sent = "a DELETE of the connection";
      const reply = await context.link.request({ method: "DELETE", headers: connection });
      context.expectStatus("RT-53", reply, 202, { sent });
      if (!("status" in stream) && !(await stream.ended(context.limits.requestTimeoutMs))) {
        context.note("RT-53", {
          sent,
          received: "the stream of the connection stays open",
          explanation: "End the streams of a deleted connection: otherwise a client waits for their messages.",
          where: context.at(reply.seq),
        });
      }
      const after = await context.post(ping, connection);
      context.expectStatus("RT-53", after, 404, {
        sent: `${sent}, then a POST to it`,
        explanation: "A deleted connection is unknown: respond with 404.",
      });
    },
  }),
];
