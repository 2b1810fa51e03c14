// The smallest agent, without any library: what passes a proxy can be compared with it byte for byte.
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") send({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    const update = { sessionUpdate: "agent_message_chunk", content: params.prompt[0] };
    send({ method: "session/update", params: { sessionId: params.sessionId, update } });
    send({ id, result: { stopReason: "end_turn" } });
  }
}
