import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { WebSocket } from "ws";

/**
 * The bare limit: requests by id over `http2` or `ws`, and `JSON.parse`. It sends the same frames and HTTP requests as
 * the profile prescribes, and waits for the same responses when it closes.
 */
export async function connect(profile, port, onUpdate) {
  const waiting = new Map();
  let lastId = 0;
  const take = (text) => {
    const { id, params } = JSON.parse(text);
    if (id === undefined) onUpdate(params.update);
    else {
      waiting.get(id)();
      waiting.delete(id);
    }
  };
  const isWebSocket = profile === "WebSocket";
  const { send, opened, close } = await (isWebSocket ? openWebSocket(port, take) : openHttp2(port, take));
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  await request("initialize", {});
  const streaming = opened();
  return {
    async open() {
      await streaming;
      return {
        prompt: (prompt) => request("session/prompt", { sessionId: "s", prompt }),
        setMode: () => request("session/set_mode", { sessionId: "s", modeId: "code" }),
      };
    },
    close,
  };
}

async function openWebSocket(port, take) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { perMessageDeflate: false });
  socket.on("message", (data) => take(data.toString()));
  await once(socket, "open");
  return {
    send: (text) => socket.send(text),
    opened: async () => {},
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

async function openHttp2(port, take) {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 262_144 } });
  session.once("connect", () => session.setLocalWindowSize(4_194_304));
  const request = (method, body) => {
    const headers = { ":method": method, ":path": "/acp" };
    const stream = session.request(body === undefined ? headers : { ...headers, "content-type": "application/json" });
    stream.setEncoding("utf8").end(body);
    return stream;
  };
  return {
    send(text) {
      let body = "";
      request("POST", text)
        .on("data", (part) => (body += part))
        .on("end", () => body !== "" && take(body)); // only the response to `initialize` has a body
    },
    async opened() {
      let rest = "";
      const events = request("GET").on("data", (text) => {
        const lines = (rest + text).split("\n\n");
        rest = lines.pop();
        for (const line of lines) take(line.slice(6));
      });
      events.on("error", () => {}); // the connection was closed first
      await once(events, "response");
    },
    async close() {
      const deleted = request("DELETE");
      await once(deleted, "response");
      session.destroy();
    },
  };
}
