import {
  connectionHeader,
  messageIn,
  type RemoteContext,
  type RemoteScenario,
  replyText,
  respondsTo,
} from "../../remote/remote-context.js";
import type { Frame, FrameLink } from "../../remote/remote-link.js";
import { webSocketScenario } from "../../remote/remote-scenario.js";
import type { Json } from "../../wire/values.js";

/** Scenarios about the WebSocket profile. */
export const webSocketScenarios: readonly RemoteScenario[] = [
  webSocketScenario("websocket/upgrade", ["RT-20"], {
    title: "The 101 response of the upgrade has an Acp-Connection-Id",
    async run(context: RemoteContext) {
      const { head } = await open(context);
      if (head.headers[connectionHeader] !== undefined) return;
      context.fail("RT-20", {
        sent: "a GET with Upgrade: websocket",
        received: "a 101 without the header Acp-Connection-Id",
        explanation: "Send the id of the new connection in the header Acp-Connection-Id of the 101 response.",
        where: context.at(head.seq),
      });
    },
  }),
  webSocketScenario("websocket/initialize", ["RT-22", "TRANS-10"], {
    title: "Each message is one text frame, and initialize gets its response",
    async run(context: RemoteContext) {
      const socket = await open(context);
      const response = await ask(socket, context.initializeRequest(), context.limits.requestTimeoutMs);
      checkFrames(context, socket, "initialize in a text frame");
      if (response?.kind === "binary") {
        context.fail("RT-22", {
          sent: "initialize in a text frame",
          received: "the response in a binary frame",
          explanation: "Send messages in text frames: receivers ignore binary frames.",
          where: context.at(response.seq),
        });
      }
      if (!response) context.late("response to initialize", context.limits.requestTimeoutMs);
    },
  }),
  webSocketScenario("websocket/first-message", ["RT-21"], {
    title: "session/new as the first message opens no session",
    async run(context: RemoteContext) {
      const control = await initialized(context);
      control.close();
      const socket = await open(context);
      const request = context.newSessionRequest();
      socket.sendText(JSON.stringify(request));
      const response = await Promise.race([
        socket.find(({ text }) => respondsTo(text, request), context.limits.requestTimeoutMs),
        socket.closed(context.limits.requestTimeoutMs).then(() => undefined),
      ]);
      if (!response || !("result" in (messageIn(response.text) ?? {}))) return;
      context.fail("RT-21", {
        sent: "session/new as the first message after the upgrade",
        received: response.text.slice(0, 200),
        explanation:
          "The first message of a client is initialize. A server refuses any other: it responds with an error or closes the socket, for example with 1002. The rule binds clients, so this is advice.",
        advice: true,
        where: context.at(response.seq),
      });
    },
  }),
  webSocketScenario("websocket/binary-frame", ["RT-22"], {
    title: "A binary frame is ignored",
    async run(context: RemoteContext) {
      const socket = await initialized(context);
      const ignored = context.rpc("_conformance/binary", {});
      socket.sendBinary(new TextEncoder().encode(JSON.stringify(ignored)));
      const response = await ask(socket, context.rpc("_conformance/after", {}), context.limits.requestTimeoutMs);
      const served = socket.frames.find(({ text }) => respondsTo(text, ignored));
      if (response && !served) return;
      const code = response ? undefined : await socket.closed(0);
      if (!response && code === undefined) {
        context.inconclusive("too slow for these limits: a later request got no response");
      }
      context.fail("RT-22", {
        sent: "a request in a binary frame, then one in a text frame",
        received: served
          ? `a response to the request of the binary frame: ${served.text.slice(0, 200)}`
          : `the socket was closed with ${code}`,
        explanation: "Ignore binary frames and keep the connection open: messages are text frames.",
        where: context.at(...(served ? [served.seq] : [])),
      });
    },
  }),
  webSocketScenario("websocket/turn", ["RT-22", "TRANS-10"], {
    title: "A session and a turn work over WebSocket, one message in each frame",
    async run(context: RemoteContext) {
      const socket = await initialized(context);
      const opening = context.newSessionRequest();
      const opened = await ask(socket, opening, context.limits.requestTimeoutMs);
      const sessionId = (messageIn(opened?.text ?? "")?.result as { sessionId?: unknown } | undefined)?.sessionId;
      if (typeof sessionId !== "string") context.inconclusive("session/new did not open a session");
      const response = await ask(socket, context.promptRequest(sessionId), context.limits.turnTimeoutMs);
      checkFrames(context, socket, "a prompt over WebSocket");
      if (!response) context.late("response to the prompt", context.limits.turnTimeoutMs);
    },
  }),
];

async function open(context: RemoteContext): Promise<FrameLink> {
  const opened = await context.link.upgrade();
  if ("status" in opened) context.inconclusive(`the upgrade gets ${replyText(opened)}`);
  return opened;
}

/** Sends a request, and returns the frame with its response. */
function ask(socket: FrameLink, request: Json, limitMs: number): Promise<Frame | undefined> {
  socket.sendText(JSON.stringify(request));
  return socket.find(({ text }) => respondsTo(text, request), limitMs);
}

/** Fails if a text frame is an invalid message. */
function checkFrames(context: RemoteContext, { frames }: FrameLink, sent: string): void {
  const odd = frames.find(({ kind, text }) => kind === "text" && messageIn(text) === undefined);
  if (!odd) return;
  context.fail("TRANS-10", {
    sent,
    received: `a text frame with ${odd.text.slice(0, 200)}`,
    explanation:
      "Each text frame must be exactly one JSON-RPC message: a remote transport keeps the messages of ACP unchanged.",
    where: context.at(odd.seq),
  });
}

/** Opens a socket and initializes its connection, as the control of a scenario. */
async function initialized(context: RemoteContext): Promise<FrameLink> {
  const socket = await open(context);
  const response = await ask(socket, context.initializeRequest(), context.limits.requestTimeoutMs);
  if (!response) context.inconclusive("initialize over WebSocket gets no response");
  return socket;
}
