import { connectAgent } from "@acp-kit/client";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";

/** A client on acp-kit, with no options. */
export async function connect(profile, port, onUpdate) {
  const isWebSocket = profile === "WebSocket";
  const source = isWebSocket ? webSocketAgent : httpAgent;
  const agent = await connectAgent(source(`${isWebSocket ? "ws" : "http"}://127.0.0.1:${port}/acp`), { onUpdate });
  return {
    async open() {
      const session = await agent.newSession({ cwd: "/work" });
      return {
        prompt: (blocks) => session.prompt(blocks).result,
        setMode: () => agent.peer.request("session/set_mode", { sessionId: session.sessionId, modeId: "code" }),
      };
    },
    close: () => agent.close(),
  };
}
