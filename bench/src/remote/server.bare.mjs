import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { WebSocketServer } from "ws";
import { jobOf, updateOf } from "../wire/jobs.mjs";

/**
 * The bare limit: `http2` or `ws`, `JSON.parse` and `JSON.stringify`, and events of one tick in one write. No JSON-RPC,
 * no validation.
 */
export async function serve(profile) {
  const server = profile === "WebSocket" ? createHttpServer() : createHttp2Server();
  if (profile === "WebSocket") {
    new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket, { socket: raw }) => {
      const write = webSocketWriter(socket, raw);
      socket.on("message", (data) => void answer(JSON.parse(data), write));
    });
  } else {
    let events;
    server.on("request", (request, response) => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        events = eventWriter(response);
        return;
      }
      if (request.method === "DELETE") {
        response.writeHead(202).end();
        return;
      }
      const parts = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => {
        const message = JSON.parse(Buffer.concat(parts).toString());
        if (message.method === "initialize") {
          response.writeHead(200, { "content-type": "application/json" });
          void answer(message, (value) => void response.end(JSON.stringify(value)));
        } else {
          response.writeHead(202).end();
          void answer(message, events);
        }
      });
    });
  }
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

async function answer({ id, method, params }, write) {
  if (method === "session/prompt") {
    const job = jobOf(params.prompt);
    const update = updateOf(job);
    for (let i = 0; i < job.count; i++)
      await write({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  }
  write({ jsonrpc: "2.0", id, result: {} });
}

/** Sends the messages of one tick in one write. */
function webSocketWriter(socket, raw) {
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    raw.uncork();
  };
  return (value) => {
    if (!isCorked) {
      isCorked = true;
      raw.cork();
      process.nextTick(uncork);
    }
    socket.send(JSON.stringify(value));
    if (socket.bufferedAmount < 262_144) return undefined;
    return new Promise((resolve) => raw.once("drain", resolve));
  };
}

function eventWriter(response) {
  let batch = "";
  let full;
  const flush = () => {
    const text = batch;
    batch = "";
    if (text === "" || response.write(text)) return;
    full ??= new Promise((resolve) =>
      response.once("drain", () => {
        full = undefined;
        resolve();
      }),
    );
  };
  return (value) => {
    if (batch === "") process.nextTick(flush);
    batch += `data: ${JSON.stringify(value)}\n\n`;
    if (batch.length > 65_536) flush();
    return full;
  };
}
