/**
 * The code of a script that reproduces a finding about a server. The script sends the HTTP requests and WebSocket frames of the recorded
 * dialogue to a URL. It needs only Node.
 */
export const remoteProgram = `
import { randomBytes } from "node:crypto";
import * as http from "node:http";
import * as http2 from "node:http2";
import * as https from "node:https";

if (!process.argv[2]) throw new Error("No URL was given. Usage: node <this file> <url>");
const url = new URL(process.argv[2]);
const isSecure = url.protocol === "https:" || url.protocol === "wss:";
const origin = (isSecure ? "https:" : "http:") + "//" + url.host;
const path = url.pathname + url.search;
const credentials = process.env.ACP_TOKEN ? { authorization: "Bearer " + process.env.ACP_TOKEN } : {};
const arrived = []; // the messages that arrived on streams and in frames
let wake = () => {};
const until = (holds) => new Promise((resolve) => {
  const timer = setTimeout(resolve, 10_000);
  wake = () => { if (holds()) { clearTimeout(timer); resolve(); } };
  wake();
});
const onMessage = (where, text) => {
  console.log("server →", where + ":", text);
  try { arrived.push(JSON.parse(text)); } catch { arrived.push(text); }
  wake();
};

const cookies = new Map(); // a load balancer may need them to find the server of a connection
const keepCookies = (given) => { for (const each of [given["set-cookie"] ?? []].flat()) cookies.set(each.split("=", 1)[0], each.split(";", 1)[0]); };
const withCookies = () => cookies.size > 0 ? { cookie: [...cookies.values()].join("; ") } : {};

let session;
/** Sends one request and resolves with the head of the response. Prints the body; for a stream, prints each event. */
const send = ({ method, version, headers = {}, body }) => new Promise((resolve) => {
  const all = { ...credentials, ...withCookies(), ...headers };
  const failed = (error) => { console.log("server · no response:", error.message); resolve(undefined); };
  const replied = (status, given, stream) => {
    keepCookies(given);
    console.log("server →", status, JSON.stringify(given));
    const isStream = /^text\\/event-stream/.test(given["content-type"] ?? "");
    let text = "";
    stream.setEncoding("utf8");
    stream.on("data", (chunk) => {
      text += chunk;
      for (let end = text.indexOf("\\n\\n"); isStream && end !== -1; end = text.indexOf("\\n\\n")) {
        const data = text.slice(0, end).split("\\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
        text = text.slice(end + 2);
        if (data.length > 0) onMessage("stream", data.join("\\n"));
      }
    });
    stream.on("end", () => { if (!isStream && text !== "") console.log("server →", text); });
    stream.on("error", () => {});
    if (isStream) resolve({ status, headers: given });
    else stream.on("close", () => resolve({ status, headers: given }));
  };
  if (version === "2") {
    session ??= http2.connect(origin).on("error", failed);
    const stream = session.request({ ...all, ":method": method, ":path": path }, { endStream: body === undefined });
    stream.on("error", failed);
    stream.on("response", (given) => replied(given[":status"], { ...given }, stream));
    if (body !== undefined) stream.end(body);
    return;
  }
  const request = (isSecure ? https : http).request(origin + path, { method, headers: all }, (response) => replied(response.statusCode, response.headers, response));
  request.on("error", failed);
  request.end(body);
});

let socket;
const upgrade = () => new Promise((resolve) => {
  const headers = { ...credentials, ...withCookies(), connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": randomBytes(16).toString("base64") };
  const request = (isSecure ? https : http).request(origin + path, { headers });
  request.on("error", (error) => { console.log("server · no response:", error.message); resolve(undefined); });
  request.on("response", (response) => { console.log("server →", response.statusCode); response.resume(); resolve(undefined); });
  request.on("upgrade", (response, opened, head) => {
    console.log("server →", 101, JSON.stringify(response.headers));
    socket = opened;
    let bytes = head;
    const read = () => {
      while (bytes.length >= 2) {
        let [length, at] = [bytes[1] & 127, 2];
        if (length === 126) { if (bytes.length < 4) return; [length, at] = [bytes.readUInt16BE(2), 4]; }
        else if (length === 127) { if (bytes.length < 10) return; [length, at] = [Number(bytes.readBigUInt64BE(2)), 10]; }
        if (bytes.length < at + length) return;
        const [kind, data] = [bytes[0] & 15, bytes.subarray(at, at + length)];
        bytes = bytes.subarray(at + length);
        if (kind === 1 || kind === 2) onMessage(kind === 1 ? "text frame" : "binary frame", data.toString("utf8"));
        else if (kind === 8) console.log("server · closes with", data.length >= 2 ? data.readUInt16BE(0) : "no code");
      }
    };
    socket.on("data", (chunk) => { bytes = Buffer.concat([bytes, chunk]); read(); });
    socket.on("error", () => {});
    read();
    resolve({ status: 101, headers: response.headers });
  });
  request.end();
});
const frame = (kind, data) => {
  const payload = Buffer.from(data);
  const mask = randomBytes(4);
  const size = payload.length < 126 ? Buffer.from([128 | payload.length]) : Buffer.from([128 | 126, payload.length >> 8, payload.length & 255]);
  const masked = payload.map((byte, index) => byte ^ mask[index % 4]);
  socket?.write(Buffer.concat([Buffer.from([128 | kind]), size, mask, masked]));
};

const names = new Map(); // maps the recorded ids of connections and sessions to those of this run
const renamed = (value) => {
  let text = JSON.stringify(value);
  for (const [before, after] of names) text = text.replaceAll(before, () => after);
  return JSON.parse(text);
};
const learn = (before, after) => { if (typeof before === "string" && typeof after === "string") names.set(before, after); };
let reply;
for (const { from, message } of dialogue) {
  if (from === "client" && message.http) {
    const { method, headers = {} } = message.http;
    const request = renamed(message.http);
    console.log("client →", method, path, JSON.stringify(request.headers ?? {}), request.body ?? "");
    reply = headers.upgrade === "websocket" ? await upgrade() : await send(request);
  } else if (from === "agent" && message.http) {
    learn(message.http.headers?.["acp-connection-id"], reply?.headers["acp-connection-id"]);
  } else if (from === "client") {
    const data = typeof message.data === "string" ? message.data : JSON.stringify(renamed(message.data));
    console.log("client →", message.frame + " frame:", data);
    frame(message.frame === "text" ? 1 : 2, data);
  } else {
    const { data } = message;
    const matches = (each) => data?.id !== undefined && data.method === undefined ? each?.id === data.id : each?.method === data?.method;
    await until(() => arrived.some(matches));
    learn(data?.result?.sessionId, arrived.find(matches)?.result?.sessionId);
  }
}
await new Promise((resolve) => setTimeout(resolve, 1_000));
process.exit();
`;
