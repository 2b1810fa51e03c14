import { connect as connectHttp2 } from "node:http2";
import { WebSocket } from "ws";

/** The bare limit: requests by id over `http2` or `ws`, and `JSON.parse`. */
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
  const { send, close } = await (profile === "WebSocket" ? openWebSocket(port, take) : openHttp2(port, take));
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  await request("initialize", {});
  return {
    open: async () => ({
      prompt: (prompt) => request("session/prompt", { sessionId: "s", prompt }),
      setMode: () => request("session/set_mode", { sessionId: "s", modeId: "code" }),
    }),
    close,
  };
}

async function openWebSocket(port, take) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { perMessageDeflate: false });
  socket.on("message", (data) => take(data.toString()));
  await new Promise((resolve) => socket.once("open", resolve));
  return { send: (text) => socket.send(text), close: () => socket.close() };
}

async function openHttp2(port, take) {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const events = session.request({ ":method": "GET", ":path": "/acp" });
  let rest = "";
  events.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n\n");
    rest = lines.pop();
    for (const line of lines) take(line.slice(6));
  });
  await new Promise((resolve) => events.once("response", resolve));
  return {
    send(text) {
      const post = session.request({ ":method": "POST", ":path": "/acp", "content-type": "application/json" });
      post.resume();
      post.end(text);
    },
    close: () => session.destroy(),
  };
}
