// Measures two peers in one process, linked in memory: `node pair.mjs <ours|sdk> <count>`. Prints the microseconds per
// update from the agent to the handler.
const [side, countText] = process.argv.slice(2);
const count = Number(countText);
const update = {
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: "The quick brown fox jumps over the dog. " },
};
let delivered = 0;

const sides = {
  async ours() {
    const { createAgent, linkedTransports } = await import("@acp-kit/agent");
    const { connectAgent } = await import("@acp-kit/client");
    const [a, b] = linkedTransports();
    createAgent({
      info: { name: "bench", version: "1.0.0" },
      newSession: () => ({ sessionId: "s" }),
      prompt: async (turn) => {
        for (let i = 0; i < count; i++) await turn.update(update);
      },
    }).connect(a);
    const agent = await connectAgent(b, { onUpdate: () => void delivered++ });
    const session = await agent.newSession({ cwd: "/work" });
    return () => session.prompt("go").result;
  },
  async sdk() {
    const { agent, client, methods, PROTOCOL_VERSION } = await import("@agentclientprotocol/sdk");
    const [toAgent, toClient] = [new TransformStream(), new TransformStream()];
    agent({ name: "bench" })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
      .onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))
      .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
        for (let i = 0; i < count; i++) await client.notify(methods.client.session.update, { sessionId, update });
        return { stopReason: "end_turn" };
      })
      .connect({ readable: toAgent.readable, writable: toClient.writable });
    const app = client({ name: "bench" }).onNotification(methods.client.session.update, () => void delivered++);
    const stream = { readable: toClient.readable, writable: toAgent.writable };
    const peer = await new Promise((resolve) => {
      void app.connectWith(stream, (connected) => {
        resolve(connected);
        return new Promise(() => {});
      });
    });
    await peer.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
    const { sessionId } = await peer.request(methods.agent.session.new, { cwd: "/work", mcpServers: [] });
    return () => peer.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
  },
};

const prompt = await sides[side]();
await prompt(); // warms up
delivered = 0;
const started = performance.now();
await prompt();
while (delivered < count) await new Promise((resolve) => setTimeout(resolve, 1));
console.log(JSON.stringify({ ms: performance.now() - started, count }));
process.exit(0);
