// Runs one measurement of a gateway in this process. Prints the figures as a line of JSON.
import { connectAgent } from "@acp-kit/client";
import { promptOf } from "../wire/jobs.mjs";
import { counter, engineOf, gatewayOf, inProcess, memory, processOf } from "./parts.mjs";

const [side, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const cursors = { _meta: { "acp-kit/cursors": true } };
const open = { cwd: "/work", mcpServers: [] };

/**
 * Connects a client to the process of an agent: directly, or through the process of a gateway with the engine that the
 * side names. `version` is that of the client, `agentVersion` that of the agent; by default both speak version 1.
 */
async function through(script, onUpdate, { version, agentVersion = version, ...options } = {}) {
  const ofAgent = agentVersion === undefined ? [] : [String(agentVersion)];
  const start =
    side === "direct"
      ? processOf(script, ...ofAgent)
      : processOf("server.mjs", side, script, JSON.stringify(options), ...ofAgent);
  const versions = version === 2 ? [(await import("@acp-kit/v2/client")).v2] : [];
  const agent = start();
  if (version === 2) offerOnlyVersion2(agent);
  return connectAgent(agent, { info: { name: "bench", version: "1.0.0" }, onUpdate, versions });
}

/** A client that offers both versions gets that of the agent, without a conversion. */
function offerOnlyVersion2(transport) {
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    if (message.method !== "initialize") return send(message);
    const { clientCapabilities: _, ...params } = message.params;
    return send({ ...message, params });
  };
}

const tasks = {
  async updates({ count, version, agentVersion }) {
    let delivered = 0;
    const agent = await through("../wire/agent.ours.mjs", () => void delivered++, { version, agentVersion });
    if (version !== undefined && agent.protocolVersion !== version) throw new Error(`version ${agent.protocolVersion}`);
    const session = await agent.newSession({ cwd: "/work" });
    await session.prompt(promptOf({ update: "chunk", count: count / 2 })).result;
    delivered = 0;
    const from = performance.now();
    await session.prompt(promptOf({ update: "chunk", count })).result;
    return { count: delivered, ms: performance.now() - from };
  },

  async latency({ sessions, seconds }) {
    const times = [];
    const nowUs = () => Number(process.hrtime.bigint() / 1_000n);
    const onUpdate = ({ content }) => void times.push(nowUs() - Number.parseInt(content.text, 10));
    const agent = await through("agent.mjs", onUpdate, { agentPer: "principal" });
    const all = await Promise.all(Array.from({ length: sessions }, () => agent.newSession({ cwd: "/work" })));
    const play = (count) => Promise.all(all.map((one) => one.prompt(promptOf({ count, everyMs: 10 })).result));
    await play(100);
    times.length = 0;
    await play(seconds * 100);
    times.sort((a, b) => a - b);
    return { count: times.length, p50Us: times[times.length >> 1], p99Us: times[Math.floor(times.length * 0.99)] };
  },

  /**
   * Creates idle sessions whose agent has ended. With `attached`, clients have the sessions open, 100 sessions on each
   * connection.
   */
  async sleeping({ count, isAttached }) {
    const gateway = await gatewayOf(side, inProcess(), { policy: { sleepAfterMs: 200 } });
    const clients = [];
    const connect = async () => {
      clients.push(await counter(gateway, () => {}));
      return clients.at(-1);
    };
    const create = async (connection) => {
      const { sessionId } = await connection.request("session/new", open);
      await connection.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "2" }] });
      return sessionId;
    };
    const asleep = async () => {
      while (gateway.status().sessions > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await create(await connect());
    await asleep();
    const before = await memory();
    const from = performance.now();
    let last = "";
    for (let i = 0; i < count; i++) {
      if (i % 100 === 0 && !isAttached) await clients.pop()?.close();
      last = await create(i % 100 === 0 ? await connect() : clients.at(-1));
    }
    const ms = performance.now() - from;
    if (!isAttached) await clients.pop()?.close();
    await asleep();
    const bytes = ((await memory()) - before) / count;
    const waking = performance.now();
    const visitor = await counter(gateway, () => {});
    await visitor.request("session/load", { ...open, sessionId: last });
    await visitor.request("session/prompt", { sessionId: last, prompt: [{ type: "text", text: "1" }] });
    return { count, ms, bytes, wakeMs: performance.now() - waking };
  },

  async observers({ observers, updates }) {
    const gateway = await gatewayOf(side, inProcess());
    let delivered = 0;
    const first = await counter(gateway, () => void delivered++);
    const { sessionId } = await first.request("session/new", open);
    for (let i = 1; i < observers; i++) {
      const one = await counter(gateway, () => void delivered++);
      await one.request("session/resume", { ...open, sessionId });
    }
    const prompt = (count) =>
      first.request("session/prompt", { sessionId, prompt: [{ type: "text", text: `${count}` }] });
    await prompt(updates);
    delivered = 0;
    const from = performance.now();
    await prompt(updates);
    while (delivered < updates * observers) await new Promise((resolve) => setImmediate(resolve));
    return { count: delivered, ms: performance.now() - from };
  },

  /** Measures a client that reconnects with its cursor: the time to the first missed update and to the last one. */
  async catchUp({ entries }) {
    const gateway = await gatewayOf(engineOf(side), inProcess(), { limits: { maxRecentChars: 1 } });
    const received = [];
    const first = await counter(gateway, ({ _meta }) => void received.push(_meta["acp-kit/cursor"]), cursors);
    const { sessionId } = await first.request("session/new", open);
    await first.request("session/prompt", { sessionId, prompt: [{ type: "text", text: `${entries}` }] });
    await first.close();
    const again = async (cursor, missed) => {
      let count = 0;
      let firstMs = Number.NaN;
      let done = () => {};
      const all = new Promise((resolve) => {
        done = resolve;
      });
      const from = performance.now();
      const connection = await counter(
        gateway,
        ({ update }) => {
          if (update.content === undefined) return;
          if (++count === 1) firstMs = performance.now() - from;
          if (count === missed) done();
        },
        cursors,
      );
      await connection.request("session/resume", { ...open, sessionId, _meta: { "acp-kit/cursor": cursor } });
      await all;
      const ms = performance.now() - from;
      await connection.close();
      return { firstMs, ms };
    };
    for (let i = 0; i < 3; i++) await again(received.at(-51), 50);
    const times = [];
    for (let i = 0; i < 20; i++) times.push((await again(received.at(-51), 50)).firstMs);
    times.sort((a, b) => a - b);
    await again(received[0], entries - 1);
    const { ms } = await again(received[0], entries - 1);
    return { count: entries - 1, ms, firstMs: times[10] };
  },
};

console.log(JSON.stringify(await tasks[task.do](task)));
process.exit(0);
