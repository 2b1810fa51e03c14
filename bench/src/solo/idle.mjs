// Measures the memory of idle sessions or connections:
// `node --expose-gc idle.mjs <ours|sdk> <sessions|connections> <count>`. Both ends are in this process. Prints the heap
// bytes of each session or connection.
const [side, what, countText] = process.argv.slice(2);
const count = Number(countText);
const keep = [];
let next = 0;

const sides = {
  async ours() {
    const { createAgent, linkedTransports } = await import("@acp-kit/agent");
    const { connectAgent } = await import("@acp-kit/client");
    const agent = createAgent({
      info: { name: "bench", version: "1.0.0" },
      newSession: () => ({ sessionId: `session-${next++}` }),
      prompt: async () => {},
    });
    return async () => {
      const [a, b] = linkedTransports();
      keep.push(agent.connect(a));
      const connected = await connectAgent(b, { onUpdate: () => {} });
      return { keep: connected, open: () => connected.newSession({ cwd: "/work" }) };
    };
  },
  async sdk() {
    const { agent, client, methods, PROTOCOL_VERSION } = await import("@agentclientprotocol/sdk");
    return async () => {
      const [toAgent, toClient] = [new TransformStream(), new TransformStream()];
      const served = agent({ name: "bench" })
        .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
        .onRequest(methods.agent.session.new, () => ({ sessionId: `session-${next++}` }))
        .connect({ readable: toAgent.readable, writable: toClient.writable });
      keep.push(served);
      const app = client({ name: "bench" });
      const connected = await new Promise((resolve) => {
        void app.connectWith({ readable: toClient.readable, writable: toAgent.writable }, (peer) => {
          resolve(peer);
          return new Promise(() => {});
        });
      });
      await connected.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
      return { keep: connected, open: () => connected.buildSession("/work").start() };
    };
  },
};

const connect = await sides[side]();
const first = await connect();
keep.push(first, await first.open());
globalThis.gc();
const before = process.memoryUsage().heapUsed;
for (let i = 0; i < count; i++) keep.push(what === "sessions" ? await first.open() : await connect());
globalThis.gc();
const bytes = (process.memoryUsage().heapUsed - before) / count;
console.log(JSON.stringify({ bytes, kept: keep.length }));
process.exit(0);
