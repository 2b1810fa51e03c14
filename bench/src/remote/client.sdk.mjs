import { client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { WebSocket } from "ws";

/** A client on the official SDK, over its own transports. */
export async function connect(profile, port, onUpdate) {
  const stream =
    profile === "WebSocket"
      ? createWebSocketStream(`ws://127.0.0.1:${port}/acp`, { WebSocket })
      : createHttpStream(`http://127.0.0.1:${port}/acp`);
  const app = client({ name: "bench" });
  app.onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update));
  const connection = app.connect(stream);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  return {
    async open() {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/work", mcpServers: [] });
      return {
        prompt: (prompt) => agent.request(methods.agent.session.prompt, { sessionId, prompt }),
        setMode: () => agent.request(methods.agent.session.setMode, { sessionId, modeId: "code" }),
      };
    },
    close: () => connection.close(),
  };
}
