import { createServer } from "node:http";
import { agent, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { WebSocketServer } from "ws";
import { jobOf, updateOf } from "../wire/jobs.mjs";

/** The same agent behind the server of the official SDK, as in the documentation of the SDK. */
export async function serve() {
  const createAgent = () =>
    agent({ name: "bench" })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
      .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
      .onRequest(methods.agent.session.setMode, () => ({}))
      .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
        const job = jobOf(prompt);
        const update = updateOf(job);
        for (let i = 0; i < job.count; i++) await client.notify(methods.client.session.update, { sessionId, update });
        return { stopReason: "end_turn" };
      });
  const acp = new AcpServer({ createAgent });
  const server = createServer(createNodeHttpHandler(acp));
  server.on("upgrade", createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}
