import { WebSocket } from "ws";
import type { DialogueLog } from "../../dialogue.js";
import { Arrivals } from "../../remote/arrivals.js";
import { type Frame, type FrameLink, type HttpReply, LinkError } from "../../remote/remote-link.js";
import { headersOf } from "./http-exchange.js";
import { parsed } from "./node-event-stream.js";
import type { RemoteTarget } from "./remote-target.js";

/**
 * Upgrades to WebSocket. Resolves with the HTTP reply if the server refuses the upgrade.
 *
 * @throws {LinkError} if there is no response.
 */
export function openFrameLink(
  url: URL,
  { headers, limitMs, trusted }: Pick<RemoteTarget, "headers" | "limitMs" | "trusted">,
  log: DialogueLog,
): Promise<FrameLink | HttpReply> {
  return new Promise((resolve, reject) => {
    log.message("client", { http: { method: "GET", path: url.pathname, headers: { upgrade: "websocket" } } });
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: limitMs,
      perMessageDeflate: false,
      ...(trusted && { ca: [...trusted] }),
    });
    const arrivals = new Arrivals<Frame>();
    const closes = new Arrivals<number>();
    let head: HttpReply | undefined;
    const replied = (status: number, given: Readonly<Record<string, string>>, body = ""): HttpReply => {
      const { seq } = log.message("agent", { http: { status, headers: given, ...(body !== "" && { body }) } });
      return { status, headers: given, body, seq };
    };
    socket.on("upgrade", (response) => {
      head = replied(101, headersOf(response).headers);
    });
    socket.on("unexpected-response", (request, response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        if (body.length < 10_000) body += text;
      });
      response.on("close", () => {
        resolve(replied(response.statusCode ?? 0, headersOf(response).headers, body));
        request.destroy();
      });
    });
    socket.on("error", (error) => reject(new LinkError(error.message)));
    socket.on("message", (bytes: Buffer, isBinary) => {
      const text = bytes.toString("utf8");
      const kind = isBinary ? "binary" : "text";
      const { seq } = log.message("agent", { frame: kind, data: parsed(text) });
      arrivals.add({ kind, text, seq });
    });
    socket.on("close", (code) => {
      log.event(`the WebSocket was closed with ${code}`);
      closes.add(code);
      arrivals.end();
      closes.end();
    });
    socket.on("open", () => {
      if (!head) return reject(new LinkError("the upgrade has no response"));
      resolve({
        head,
        frames: arrivals.items,
        sendText(text) {
          log.message("client", { frame: "text", data: parsed(text) });
          socket.send(text);
        },
        sendBinary(bytes) {
          log.message("client", { frame: "binary", data: parsed(new TextDecoder().decode(bytes)) });
          socket.send(bytes);
        },
        find: (matches, within) => arrivals.find(matches, within),
        closed: (within) => closes.find(() => true, within),
        close: () => socket.terminate(),
      });
    });
  });
}
