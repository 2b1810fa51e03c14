import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { createAcpHandler, createDirectHandler, tokenAuthentication, type WebSocketLike } from "@acp-kit/http";
import { type HttpAgentServer, httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";

// #region agent
const agent = createAgent({
  info: { name: "hello", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  prompt: async (turn) => {
    await turn.message(`You said: ${turn.text}`);
  },
});
// #endregion agent

// #region serve
/** Serves the agent at http://127.0.0.1:<port>/acp: HTTP/1.1, HTTP/2 and WebSocket. */
export function serve(token: string): Promise<HttpAgentServer> {
  return serveHttp(agent, { authenticate: tokenAuthentication(token) });
}
// #endregion serve

// #region connect
/** Prompts a remote agent, over either profile. */
export async function ask(url: string, token: string, text: string): Promise<string> {
  const source = url.startsWith("ws") ? webSocketAgent(url, { token }) : httpAgent(url, { token });
  await using remote = await connectAgent(source);
  const session = await remote.newSession({ cwd: "/" });
  let answer = "";
  for await (const update of session.prompt(text)) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") answer += update.content.text;
  }
  return answer;
}
// #endregion connect

// #region handler
/** A handler for any server of the web platform: `app.all("/acp", (context) => handler.fetch(context.req.raw))`. */
export const handler = createAcpHandler(agent, {
  authenticate: tokenAuthentication("secret"),
  allowedHosts: ["agent.example.com"],
  allowedOrigins: ["https://app.example.com"],
});
// #endregion handler

// #region upgrade
/**
 * What a server of the web platform does with a WebSocket upgrade. In Deno:
 * `upgrade(request, (options) => Deno.upgradeWebSocket(request, options))`.
 */
export async function upgrade(
  request: Request,
  open: (options: { protocol: string }) => { socket: WebSocketLike; response: Response },
): Promise<Response> {
  const decision = await handler.upgrade(request);
  if (decision.is === "refused") return decision.response;
  const { socket, response } = open({ protocol: decision.protocol ?? "" });
  decision.accept(socket);
  return response;
}
// #endregion upgrade

// #region direct
export const direct = createDirectHandler(agent);
// #endregion direct
